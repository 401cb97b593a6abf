"""`remem tenants`: plans, limits and suspension, for the operator."""

import json

import pytest

from tests.surfaces.cli.running import Shell


@pytest.mark.usefixtures("database")
def test_the_operator_manages_tenants(fresh: Shell) -> None:
    assert fresh.piped("memories", "add", "The ferry is blue.").code == 0
    [tenant] = json.loads(fresh.piped("tenants", "list", "--json").out)["tenants"]
    id = tenant["id"]
    assert (tenant["plan"], tenant["memory_count"]) == ("self-hosted", 1)
    listed = fresh.piped("tenants", "list").out
    assert listed == f"{id}\tself-hosted\t1\tno limit\t{tenant['name']}\n"
    assert json.loads(fresh.piped("tenants", "usage", id, "--json").out)["usage"]["documents"] == 0
    assert "free" in fresh.piped("tenants", "plan", id, "free").out
    unknown = fresh.piped("tenants", "plan", id, "gold")
    assert (unknown.code != 0, "self-hosted" in unknown.err) == (True, True), unknown
    assert "of 1)" in fresh.piped("tenants", "limit", id, "1").out
    full = fresh.piped("memories", "add", "The buoy is red.")
    assert (full.code != 0, "limit of 1 memories" in full.err) == (True, True), full
    assert "of 300)" in fresh.piped("tenants", "limit", id, "plan").out
    assert fresh.piped("tenants", "limit", id, "many").code == 2
    assert "suspended since" in fresh.piped("tenants", "suspend", id, "--yes").out
    suspended = fresh.piped("memories", "list")
    assert (suspended.code != 0, "suspended" in suspended.err) == (True, True), suspended
    assert "suspended" not in fresh.piped("tenants", "resume", id).out
    assert "ferry" in fresh.piped("memories", "list").out


def test_citus_statements_are_printed_and_run_only_with_citus(fresh: Shell) -> None:
    printed = fresh.piped("distribute").out.splitlines()
    assert "SELECT create_distributed_table('documents', 'tenant_id');" in printed
    refused = fresh.piped("distribute", "--run", "--yes")
    assert (refused.code, "no Citus" in refused.err) == (1, True), refused
