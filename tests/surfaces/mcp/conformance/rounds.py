"""Fixtures that the suite expects from a server: tools that need input from the client first."""

from typing import Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.shared.exceptions import MCPError
from mcp_types import (
    MISSING_REQUIRED_CLIENT_CAPABILITY,
    ClientCapabilities,
    CreateMessageRequest,
    CreateMessageRequestParams,
    ElicitRequest,
    ElicitRequestFormParams,
    InputRequest,
    InputRequiredResult,
    ListRootsRequest,
    MissingRequiredClientCapabilityErrorData,
    SamplingCapability,
    SamplingMessage,
    TextContent,
)

from tests.surfaces.mcp.conformance.plain import DESCRIPTION


def elicit(message: str, field: str, kind: str = "string") -> ElicitRequest:
    schema = {"type": "object", "properties": {field: {"type": kind}}, "required": [field]}
    return ElicitRequest(params=ElicitRequestFormParams(message=message, requested_schema=schema))


def sample(text: str, max_tokens: int) -> CreateMessageRequest:
    message = SamplingMessage(role="user", content=TextContent(text=text))
    return CreateMessageRequest(
        params=CreateMessageRequestParams(messages=[message], max_tokens=max_tokens)
    )


def require_input(state: str | None = None, **requests: InputRequest) -> InputRequiredResult:
    return InputRequiredResult(input_requests=requests, request_state=state)


def accepted_responses(ctx: Context, *names: str) -> list[Any] | None:
    """The client's responses if all are present and none was declined, else None."""
    answers = ctx.input_responses or {}
    responses = [answers.get(name) for name in names]
    is_accepted = all(
        response is not None and getattr(response, "action", "accept") == "accept"
        for response in responses
    )
    return responses if is_accepted else None


def field_of(answer: Any, field: str) -> str | None:
    content = getattr(answer, "content", None)
    return content.get(field) if isinstance(content, dict) else None


def add_input_tools(server: MCPServer[Any]) -> None:
    @server.tool(description=DESCRIPTION)
    async def test_input_required_result_elicitation(ctx: Context) -> str | InputRequiredResult:
        answers = accepted_responses(ctx, "user_name")
        name = field_of(answers[0], "name") if answers else None
        if not name:
            return require_input(user_name=elicit("What is your name?", "name"))
        return f"Hello, {name}!"

    @server.tool(description=DESCRIPTION)
    async def test_input_required_result_sampling(ctx: Context) -> str | InputRequiredResult:
        answers = accepted_responses(ctx, "capital_question")
        if not answers:
            return require_input(capital_question=sample("What is the capital of France?", 100))
        return answers[0].content.text

    @server.tool(description=DESCRIPTION)
    async def test_input_required_result_list_roots(ctx: Context) -> str | InputRequiredResult:
        answers = accepted_responses(ctx, "client_roots")
        if not answers:
            return require_input(client_roots=ListRootsRequest())
        return ", ".join(str(root.uri) for root in answers[0].roots)

    @server.tool(description=DESCRIPTION)
    async def test_input_required_result_multiple_inputs(
        ctx: Context,
    ) -> str | InputRequiredResult:
        if not accepted_responses(ctx, "user_name", "greeting", "client_roots"):
            return require_input(
                "several",
                user_name=elicit("What is your name?", "name"),
                greeting=sample("Generate a greeting", 50),
                client_roots=ListRootsRequest(),
            )
        return "All three came."

    @server.prompt(description=DESCRIPTION)
    async def test_input_required_result_prompt(ctx: Context) -> str | InputRequiredResult:
        answers = accepted_responses(ctx, "user_context")
        if not answers:
            return require_input(
                user_context=elicit("What context should the prompt use?", "context")
            )
        return f"In the context of {field_of(answers[0], 'context')}"


def add_state_tools(server: MCPServer[Any]) -> None:
    """Add tools that send the client a state that it must return."""

    @server.tool(description=DESCRIPTION)
    async def test_input_required_result_request_state(ctx: Context) -> str | InputRequiredResult:
        if not accepted_responses(ctx, "confirm") or ctx.request_state != "asked":
            return require_input("asked", confirm=elicit("Please confirm", "ok", "boolean"))
        return "state-ok"

    @server.tool(description=DESCRIPTION)
    async def test_input_required_result_tampered_state(ctx: Context) -> str | InputRequiredResult:
        if not accepted_responses(ctx, "confirm"):
            return require_input("sealed", confirm=elicit("Please confirm", "ok", "boolean"))
        return "state-ok"

    @server.tool(description=DESCRIPTION)
    async def test_input_required_result_multi_round(ctx: Context) -> str | InputRequiredResult:
        if ctx.request_state == "two" and accepted_responses(ctx, "step2"):
            return "Both steps are done."
        if ctx.request_state == "one" and accepted_responses(ctx, "step1"):
            return require_input(
                "two", step2=elicit("Step 2: What is your favorite color?", "color")
            )
        return require_input("one", step1=elicit("Step 1: What is your name?", "name"))


def add_capability_tools(server: MCPServer[Any]) -> None:
    """Add tools that check the client's capabilities."""

    @server.tool(description=DESCRIPTION)
    async def test_input_required_result_capabilities(ctx: Context) -> str | InputRequiredResult:
        capabilities = ctx.client_capabilities or ClientCapabilities()
        requests: dict[str, InputRequest] = {}
        if capabilities.sampling:
            requests["greeting"] = sample("Generate a greeting", 50)
        if capabilities.elicitation:
            requests["user_name"] = elicit("What is your name?", "name")
        return require_input(**requests) if requests and not ctx.input_responses else "done"

    @server.tool(description=DESCRIPTION)
    async def test_streaming_elicitation(ctx: Context) -> str | InputRequiredResult:
        await ctx.report_progress(1, 2)
        if not accepted_responses(ctx, "user_name"):
            return require_input(user_name=elicit("What is your name?", "name"))
        return "done"

    @server.tool(description=DESCRIPTION)
    async def test_missing_capability(ctx: Context) -> str:
        capabilities = ctx.client_capabilities or ClientCapabilities()
        if capabilities.sampling:
            return "done"
        missing = ClientCapabilities(sampling=SamplingCapability())
        data = MissingRequiredClientCapabilityErrorData(required_capabilities=missing)
        raise MCPError(
            MISSING_REQUIRED_CLIENT_CAPABILITY,
            "This tool needs sampling.",
            data.model_dump(by_alias=True, exclude_none=True),
        )
