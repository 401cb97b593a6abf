"""What the browser extension reads from its own server."""

import json
from functools import cache
from importlib.metadata import version
from importlib.resources import files

from fastapi import APIRouter
from pydantic import BaseModel, Field

from remem.surfaces.rest.deps import Reader
from remem.surfaces.rest.guard import Guarded

router = APIRouter(prefix="/v3", tags=["extension"], route_class=Guarded)


class ComposerOut(BaseModel):
    name: str
    hosts: list[str]
    selectors: list[str] = Field(description="CSS selectors of the prompt, tried in this order.")
    paste: bool = Field(description="Whether the site accepts pasted text as text.")


class ComposersOut(BaseModel):
    version: str = Field(description="The version of the server.")
    composers: list[ComposerOut]


@router.get("/extension/composers", response_model=ComposersOut)
async def composers(caller: Reader) -> ComposersOut:
    """Return where chat sites have their prompt. The browser extension reads this, so that a
    changed site needs a new server and not a new extension."""
    return ComposersOut(version=version("remem"), composers=_table())


@cache
def _table() -> list[ComposerOut]:
    body = files("remem.surfaces.rest.v3").joinpath("composers.json").read_text()
    return [ComposerOut(**row) for row in json.loads(body)]
