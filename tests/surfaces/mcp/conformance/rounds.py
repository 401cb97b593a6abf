"""What the suite asks of a server: tools that need an answer of the client's before theirs."""

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

from tests.surfaces.mcp.conformance.plain import ASKED


def elicit(message: str, field: str, kind: str = "string") -> ElicitRequest:
    schema = {"type": "object", "properties": {field: {"type": kind}}, "required": [field]}
    return ElicitRequest(params=ElicitRequestFormParams(message=message, requested_schema=schema))


def sample(text: str, max_tokens: int) -> CreateMessageRequest:
    said = SamplingMessage(role="user", content=TextContent(text=text))
    return CreateMessageRequest(
        params=CreateMessageRequestParams(messages=[said], max_tokens=max_tokens)
    )


def need(state: str | None = None, **requests: InputRequest) -> InputRequiredResult:
    return InputRequiredResult(input_requests=requests, request_state=state)


def given(ctx: Context, *names: str) -> list[Any] | None:
    """The client's answers, when all are there and none was declined."""
    answers = ctx.input_responses or {}
    found = [answers.get(name) for name in names]
    good = all(one is not None and getattr(one, "action", "accept") == "accept" for one in found)
    return found if good else None


def name_in(answer: Any, field: str) -> str | None:
    content = getattr(answer, "content", None)
    return content.get(field) if isinstance(content, dict) else None


def add_asking_tools(server: MCPServer[Any]) -> None:
    @server.tool(description=ASKED)
    async def test_input_required_result_elicitation(ctx: Context) -> str | InputRequiredResult:
        answers = given(ctx, "user_name")
        name = name_in(answers[0], "name") if answers else None
        if not name:
            return need(user_name=elicit("What is your name?", "name"))
        return f"Hello, {name}!"

    @server.tool(description=ASKED)
    async def test_input_required_result_sampling(ctx: Context) -> str | InputRequiredResult:
        answers = given(ctx, "capital_question")
        if not answers:
            return need(capital_question=sample("What is the capital of France?", 100))
        return answers[0].content.text

    @server.tool(description=ASKED)
    async def test_input_required_result_list_roots(ctx: Context) -> str | InputRequiredResult:
        answers = given(ctx, "client_roots")
        if not answers:
            return need(client_roots=ListRootsRequest())
        return ", ".join(str(root.uri) for root in answers[0].roots)

    @server.tool(description=ASKED)
    async def test_input_required_result_multiple_inputs(
        ctx: Context,
    ) -> str | InputRequiredResult:
        if not given(ctx, "user_name", "greeting", "client_roots"):
            return need(
                "several",
                user_name=elicit("What is your name?", "name"),
                greeting=sample("Generate a greeting", 50),
                client_roots=ListRootsRequest(),
            )
        return "All three came."

    @server.prompt(description=ASKED)
    async def test_input_required_result_prompt(ctx: Context) -> str | InputRequiredResult:
        answers = given(ctx, "user_context")
        if not answers:
            return need(user_context=elicit("What context should the prompt use?", "context"))
        return f"In the context of {name_in(answers[0], 'context')}"


def add_remembering_tools(server: MCPServer[Any]) -> None:
    """Those that hand the client a state to bring back."""

    @server.tool(description=ASKED)
    async def test_input_required_result_request_state(ctx: Context) -> str | InputRequiredResult:
        if not given(ctx, "confirm") or ctx.request_state != "asked":
            return need("asked", confirm=elicit("Please confirm", "ok", "boolean"))
        return "state-ok"

    @server.tool(description=ASKED)
    async def test_input_required_result_tampered_state(ctx: Context) -> str | InputRequiredResult:
        if not given(ctx, "confirm"):
            return need("sealed", confirm=elicit("Please confirm", "ok", "boolean"))
        return "state-ok"

    @server.tool(description=ASKED)
    async def test_input_required_result_multi_round(ctx: Context) -> str | InputRequiredResult:
        if ctx.request_state == "two" and given(ctx, "step2"):
            return "Both steps are done."
        if ctx.request_state == "one" and given(ctx, "step1"):
            return need("two", step2=elicit("Step 2: What is your favorite color?", "color"))
        return need("one", step1=elicit("Step 1: What is your name?", "name"))


def add_capable_tools(server: MCPServer[Any]) -> None:
    """Those that look at what the client can do."""

    @server.tool(description=ASKED)
    async def test_input_required_result_capabilities(ctx: Context) -> str | InputRequiredResult:
        can = ctx.client_capabilities or ClientCapabilities()
        wanted: dict[str, InputRequest] = {}
        if can.sampling:
            wanted["greeting"] = sample("Generate a greeting", 50)
        if can.elicitation:
            wanted["user_name"] = elicit("What is your name?", "name")
        return need(**wanted) if wanted and not ctx.input_responses else "done"

    @server.tool(description=ASKED)
    async def test_streaming_elicitation(ctx: Context) -> str | InputRequiredResult:
        await ctx.report_progress(1, 2)
        if not given(ctx, "user_name"):
            return need(user_name=elicit("What is your name?", "name"))
        return "done"

    @server.tool(description=ASKED)
    async def test_missing_capability(ctx: Context) -> str:
        can = ctx.client_capabilities or ClientCapabilities()
        if can.sampling:
            return "done"
        missing = ClientCapabilities(sampling=SamplingCapability())
        data = MissingRequiredClientCapabilityErrorData(required_capabilities=missing)
        raise MCPError(
            MISSING_REQUIRED_CLIENT_CAPABILITY,
            "This tool needs sampling.",
            data.model_dump(by_alias=True, exclude_none=True),
        )
