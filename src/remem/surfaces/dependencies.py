"""FastAPI dependencies: the ports and settings that the application opened."""

from typing import Annotated

from fastapi import Depends, Request

from remem.core.ports import Ports
from remem.settings import Settings


# Async, because FastAPI runs plain functions in a thread, which takes longer than these do.
async def get_ports(request: Request) -> Ports:
    return request.app.state.ports


async def get_settings(request: Request) -> Settings:
    return request.app.state.settings


PortsDep = Annotated[Ports, Depends(get_ports)]
SettingsDep = Annotated[Settings, Depends(get_settings)]
