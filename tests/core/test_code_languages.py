"""Code in over thirty languages: functions and classes are found, named and kept whole."""

import platform
import sys

import pytest

from remem.core.chunking.languages import LANGUAGES, grammar_of, language_named
from remem.core.chunking.model import Piece
from remem.core.chunking.outline import outline
from remem.core.chunking.split import split

# A text, and how each definition in it begins and ends.
SAMPLES: dict[str, tuple[str, dict[str, tuple[str, str]]]] = {
    "bash": (
        """#!/usr/bin/env bash
# Sums up the sizes of all files that are named.
weigh() {
  local total=0
  for name in "$@"; do total=$((total + $(stat --format=%s "$name"))); done
  echo "$total"
}

function label {
  local unit="$1" name="$2"
  echo "$name weighs $(weigh "$name") in $unit, as far as anybody can tell, and maybe more"
}
""",
        {"weigh": ("# Sums", 'echo "$total"\n}'), "label": ("function label", 'more"\n}')},
    ),
    "c": (
        """#include <stdio.h>

long weigh(const long *sizes, int count)
{
    long total = 0; /* in bytes, as the file system tells them, holes and all */
    for (int i = 0; i < count; i++) total += sizes[i];
    return total;
}

struct scale {
    const char *unit; /* what it weighs in */
    long limit;       /* how many files are weighed at most before it gives up on them */
};
""",
        {"weigh": ("long weigh", "return total;\n}"), "scale": ("struct scale", "};")},
    ),
    "cpp": (
        """#include <string>
namespace scales {

class Scale {
public:
    explicit Scale(std::string unit) : unit_(std::move(unit)) {}
    std::string label() const { return "in " + unit_ + ", and in no other unit at all"; }
private:
    std::string unit_;
};

template <typename T>
long Scale::weigh(const std::vector<T>& names) const {
    long total = 0;
    for (const auto& name : names) { total += static_cast<long>(name.size()) * 42; }
    return total;
}

}  // namespace scales
""",
        {
            "scales.Scale": ("class Scale", "unit_;\n};"),
            "scales.Scale.weigh": ("template <", "return total;\n}"),
        },
    ),
    "csharp": (
        """using System.IO;

namespace Scales
{
    public class Scale
    {
        public string Unit { get; set; }
        public long Weigh(FileInfo[] files)
        {
            long total = 0;
            foreach (var file in files) { total += file.Length; }
            return total;
        }
    }

    public enum Units
    {
        Bytes, Kilobytes, Megabytes, Gigabytes, Terabytes, Petabytes, Exabytes, Zettabytes, More
    }
}
""",
        {
            "Scales.Scale": ("public class", "total;\n        }"),
            "Scales.Units": ("public enum", "More"),
        },
    ),
    "elixir": (
        """defmodule Scales.Scale do
  @moduledoc "Weighs files."

  @doc "Sums up the sizes of files."
  def weigh(names) do
    names |> Enum.map(fn name -> File.stat!(name).size end) |> Enum.sum()
  end

  defp label(name, unit), do: "#{name} weighs #{weigh([name])} in #{unit}"
end
""",
        {"Scales.Scale": ("defmodule", 'in #{unit}"\nend')},
    ),
    "fortran": (
        """module scales
  implicit none
contains
  function weigh(sizes) result(total)
    integer, intent(in) :: sizes(:)
    integer :: total
    total = sum(sizes) ! in bytes, as the file system tells them
  end function weigh

  subroutine label(name, unit)
    character(len=*), intent(in) :: name, unit
    print *, name, " weighs something in ", unit, ", as far as we can tell"
  end subroutine label
end module scales
""",
        {
            "scales.weigh": ("function weigh", "end function weigh"),
            "scales.label": ("subroutine label", "end subroutine label"),
        },
    ),
    "go": (
        """package scale

import "os"

// Weigh sums up the sizes of files.
func Weigh(names []string) (total int64, err error) {
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil { return 0, err }
		total += info.Size()
	}
	return total, nil
}

func (s *Scale[T]) Label(name string) string {
	if len(s.Names) > s.Limit { return name + " and more than it can weigh in " + s.Unit }
	return name + " in " + s.Unit
}
""",
        {
            "Weigh": ("// Weigh sums", "return total, nil\n}"),
            "Scale.Label": ("func (s", "s.Unit\n}"),
        },
    ),
    "groovy": (
        """package scales

class Scale {
    String unit
    String label(String name) {
        def size = new File(name).length()
        return "weighs " + size + " in " + unit + ", as far as we can tell"
    }
}

def weigh(List names) {
    def total = 0
    for (name in names) { total += new File(name).length() }
    println("all of them together weigh " + total + " bytes")
    return total
}
""",
        {
            "Scale": ("class Scale", 'can tell"\n    }\n}'),
            "weigh": ("def weigh", "return total\n}"),
        },
    ),
    "haskell": (
        """module Scale (weigh, label) where
import System.Directory (getFileSize)

-- | Sums up the sizes of files.
weigh :: Int -> [FilePath] -> IO Integer
weigh limit names = do
  sizes <- mapM getFileSize (take limit names)
  pure (sum sizes)

label :: String -> FilePath -> Integer -> String
label unit name 0 = name ++ " weighs nothing in " ++ unit
label unit name size = name ++ " weighs " ++ show size ++ " in " ++ unit
""",
        {
            "weigh": ("-- | Sums", "(sum sizes)"),
            "label": ("label ::", 'show size ++ " in " ++ unit'),
        },
    ),
    "java": (
        """package scale;
import java.io.File;

public class Scale {
    private final String unit;
    public Scale(String unit) { this.unit = unit; }
    /** Sums up the sizes of files. */
    public long weigh(File[] files) {
        long total = 0;
        for (File file : files) { total += file.length(); }
        return total;
    }
}

interface Weighed {
    long size(); // in bytes, as the file system tells it, which may be more than was written
    default String label() { return "weighs " + size() + " bytes"; }
}
""",
        {"Scale": ("public class", "total;\n    }\n}"), "Weighed": ("interface", 'bytes"; }\n}')},
    ),
    "javascript": (
        """import fs from "node:fs";

/** Sums up the sizes of files. */
export async function weigh(names) {
  let total = 0;
  for (const name of names) { total += fs.statSync(name).size; }
  return total;
}

export const heaviest = (names) => {
  const sorted = names.toSorted((a, b) => fs.statSync(b).size - fs.statSync(a).size);
  return sorted.slice(0, 10); // the ten heaviest of all of them
};

Scale.prototype.label = function (name) {
  const size = weigh([name]);
  return `${name} weighs ${size} in ${this.unit}, as far as anybody can tell, and no more`;
};
""",
        {
            "weigh": ("/** Sums", "return total;\n}"),
            "heaviest": ("export const heaviest", "of them\n};"),
            "Scale.prototype.label": ("Scale.prototype", "more`;\n};"),
        },
    ),
    "julia": (
        '''module Scales

"""Sums up the sizes of files, at most as many as the scale can carry at once."""
function weigh(scale, names)
    total = 0
    for name in first(names, scale.limit) total += filesize(name) end
    return total
end

label(scale, name) = string(
    name, " weighs ", weigh(scale, [name]), " in ", scale.unit, ", as far as we can tell")
end
''',
        {
            "Scales.weigh": ('"""Sums', "return total\nend"),
            "Scales.label": ("label(scale", 'tell")'),
        },
    ),
    "kotlin": (
        """package scales
import java.io.File

/** Sums up the sizes of files. */
fun weigh(names: List<String>): Long {
    var total = 0L
    for (name in names) { total += File(name).length() }
    return total
}

class Scale(private val unit: String) {
    fun label(name: String): String {
        return "$name weighs ${weigh(listOf(name))} in $unit, as far as we can tell"
    }
}
""",
        {"weigh": ("/** Sums", "return total\n}"), "Scale": ("class Scale", 'tell"\n    }\n}')},
    ),
    "lua": (
        """local lfs = require("lfs")
local Scale = {}

-- Sums up the sizes of files.
local function weigh(names)
  local total = 0
  for _, name in ipairs(names) do total = total + lfs.attributes(name, "size") end
  return total
end

function Scale.label(name, unit)
  local size = weigh({ name })
  return name .. " weighs " .. size .. " in " .. unit .. ", as far as we can tell"
end
""",
        {
            "weigh": ("-- Sums", "return total\nend"),
            "Scale.label": ("function Scale", 'tell"\nend'),
        },
    ),
    "matlab": (
        """function total = weigh(names)
% Sums up the sizes of all files that are named, in bytes, as the system tells them.
total = 0;
for i = 1:numel(names)
    total = total + dir(names{i}).bytes;
end
end

function text = label(name, unit)
% Says what a file weighs.
text = sprintf('%s weighs %d in %s, as far as we can tell', name, weigh({name}), unit);
end
""",
        {"weigh": ("function total", "end\nend"), "label": ("function text", "unit);\nend")},
    ),
    "objective-c": (
        """#import <Foundation/Foundation.h>

@implementation Scale
- (long)weigh:(NSArray<NSString *> *)names {
    long total = 0;
    for (NSString *name in names) { total += [name length]; }
    return total;
}
@end

static NSString *label(Scale *scale, NSString *name) {
    long size = [scale weigh:@[ name ]];
    return [NSString stringWithFormat:@"%@ weighs %ld in %@, we think", name, size, scale.unit];
}
""",
        {
            "Scale": ("@implementation", "total;\n}\n@end"),
            "label": ("static NSString", "unit];\n}"),
        },
    ),
    "ocaml": (
        """open Unix

(** Sums up the sizes of files. *)
let weigh names =
  let size name = (Unix.stat name).st_size in
  List.fold_left (fun total name -> total + size name) 0 names

module Label = struct
  let of_name unit name =
    Printf.sprintf "%s weighs %d in %s, as far as we can tell" name (weigh [ name ]) unit

  let of_names unit names = String.concat ", " (List.map (fun name -> of_name unit name) names)
      ^ " and that is all there is to be said about what they weigh together in the end"
end
""",
        {
            "weigh": ("(** Sums", "0 names"),
            "Label.of_name": ("module Label", "]) unit"),
            "Label.of_names": ("let of_names", 'in the end"'),
        },
    ),
    "odin": (
        """package scales
import "core:fmt"

// Sums up the sizes of files.
weigh :: proc(sizes: []i64) -> (total: i64) {
	for size in sizes { total += size } // in bytes, as the file system tells it
	return
}

label :: proc(scale: ^Scale, name: string) {
	size := weigh({scale.total})
	fmt.println(name, "weighs", size, "in", scale.unit, "as far as we can tell, and no more")
}
""",
        {"weigh": ("// Sums", "return\n}"), "label": ("label :: proc", 'more")\n}')},
    ),
    "perl": (
        """package Scales;
use strict;

# Sums up the sizes of files.
sub weigh {
    my @names = @_;
    my $total = 0;
    $total += -s $_ for @names;
    return $total; # in bytes
}

sub label {
    my ($name, $unit) = @_;
    return "$name weighs " . weigh($name) . " in $unit, as far as we can tell, and no more";
}
""",
        {"weigh": ("# Sums", "# in bytes\n}"), "label": ("sub label", 'more";\n}')},
    ),
    "php": (
        """<?php
namespace Scales;

/** Sums up the sizes of files. */
function weigh(array $names): int
{
    $total = 0;
    foreach ($names as $name) { $total += filesize($name); }
    return $total;
}

final class Scale
{
    public function __construct(private string $unit) {}
    public function label(): string { return "in {$this->unit} and in no other unit, ever"; }
}
""",
        {"weigh": ("/** Sums", "return $total;\n}"), "Scale": ("final class", 'ever"; }\n}')},
    ),
    "powershell": (
        """# Sums up the sizes of files.
function Get-Weight {
    param([string[]]$Names)
    $total = 0
    foreach ($name in $Names) { $total += (Get-Item $name).Length }
    return $total
}

class Scale {
    [string]$Unit
    [string] Label([string]$name) {
        return "$name weighs $(Get-Weight $name) in $($this.Unit), as far as we can tell"
    }
}
""",
        {"Get-Weight": ("# Sums", "return $total\n}"), "Scale": ("class Scale", 'tell"\n    }\n}')},
    ),
    "python": (
        '''import os

@lru_cache
async def weigh(folder: Path) -> int:
    """Sum up the sizes of all files in a folder, hidden ones left out of the count."""
    return sum((folder / name).stat().st_size for name in os.listdir(folder))


class Scale:
    """Weighs many folders."""

    def __init__(self, unit: str) -> None:
        self.unit = unit

    @property
    def label(self) -> str:
        return f"in {self.unit}"
''',
        {"weigh": ("@lru_cache", "os.listdir(folder))"), "Scale": ("class Scale", '{self.unit}"')},
    ),
    "ruby": (
        """require "pathname"

module Scales
  # Sums up the sizes of files.
  def self.weigh(names)
    total = 0
    names.each { |name| total += Pathname.new(name).size }
    total # in bytes, as the file system tells it
  end

  class Scale
    def initialize(unit) = @unit = unit
    def label
      "in #{@unit}, at most ten of them, and not a single one more than these ten here"
    end
  end
end
""",
        {
            "Scales.weigh": ("# Sums", "tells it\n  end"),
            "Scales.Scale": ("class Scale", 'here"\n    end\n  end'),
        },
    ),
    "rust": (
        """use std::fs;

/// Sums up the sizes of files.
#[must_use]
pub fn weigh(names: &[&Path]) -> u64 {
    names.iter().map(|name| fs::metadata(name).map(|meta| meta.len()).unwrap_or(0)).sum()
}

impl<T: Clone> Weighed for Scale<T> {
    fn label(&self, name: &str) -> String {
        let size = self.total / self.names.len() as u64;
        format!("{name}: {size} in {} of {}", self.unit, self.limit)
    }
}
""",
        {"weigh": ("/// Sums", ".sum()\n}"), "Scale": ("impl<T", "limit)\n    }\n}")},
    ),
    "scala": (
        """package scales
import java.io.File

object Scales {
  /** Sums up the sizes of files. */
  def weigh(names: Seq[String]): Long = names.map(name => new File(name).length).sum
}

class Scale(unit: String) {
  def label(name: String): String = {
    s"$name weighs ${Scales.weigh(Seq(name))} in $unit, as far as we can tell, and no more"
  }
}
""",
        {"Scales": ("object Scales", "length).sum\n}"), "Scale": ("class Scale", 'more"\n  }\n}')},
    ),
    "solidity": (
        """pragma solidity ^0.8.20;

contract Scale {
    uint256 private total;
    event Weighed(string name, uint256 size);
    /// Adds the size of a file.
    function weigh(string memory name, uint256 size) public returns (uint256) {
        total += size;
        emit Weighed(name, size);
        return total;
    }
}
""",
        {"Scale": ("contract Scale", "total;\n    }\n}")},
    ),
    "sql": (
        """CREATE TABLE weighed (
    name text PRIMARY KEY,
    size bigint NOT NULL,
    unit text NOT NULL DEFAULT 'bytes',
    measured_at timestamptz NOT NULL DEFAULT now()
);

CREATE FUNCTION weigh(names text[]) RETURNS bigint AS $$
BEGIN
    RETURN (SELECT sum(size) FROM weighed WHERE name = ANY(names) AND unit = 'bytes');
END;
$$ LANGUAGE plpgsql;
""",
        {"weighed": ("CREATE TABLE", "now()\n);"), "weigh": ("CREATE FUNCTION", "plpgsql;")},
    ),
    "swift": (
        """import Foundation

/// Sums up the sizes of files.
func weigh(_ names: [String]) -> Int {
    var total = 0
    for name in names { total += (try? Data(contentsOf: URL(fileURLWithPath: name)).count) ?? 0 }
    return total
}

struct Scale {
    let unit: String
    func label(of name: String) -> String {
        return "\\(name) weighs \\(weigh([name])) in \\(unit), as far as we can tell"
    }
}
""",
        {"weigh": ("/// Sums", "return total\n}"), "Scale": ("struct Scale", 'tell"\n    }\n}')},
    ),
    "tsx": (
        """import * as React from "react";

export function Weight({ name, size }: { name: string; size: number }): JSX.Element {
  const label = `${name} weighs ${size} bytes`;
  return <section className="weight"><h2>{label}</h2></section>;
}

export const Scale = ({ names }: { names: string[] }) => {
  const [open, setOpen] = React.useState(false);
  return <ul onClick={() => setOpen(!open)}>{names.map((n) => <li key={n}>{n}</li>)}</ul>;
};
""",
        {"Weight": ("export function", "</section>;\n}"), "Scale": ("export const", "</ul>;\n};")},
    ),
    "typescript": (
        """import { statSync } from "node:fs";

export interface Weighed {
  name: string;
  unit: "bytes" | "kilobytes";
  measuredAt: Date; // when the file was looked at, in local time, or in what was held for it
}

export abstract class Scale<T extends Weighed> {
  constructor(private readonly unit: string) {}
  label(of: T): string {
    return `${of.name}: ${of.unit} in ${this.unit} and nothing else`;
  }
}
""",
        {
            "Weighed": ("export interface", "held for it\n}"),
            "Scale": ("export abstract", "else`;\n  }\n}"),
        },
    ),
    "zig": (
        """const std = @import("std");

pub const Scale = struct {
    unit: []const u8,
    pub fn label(self: Scale, writer: anytype, name: []const u8) !void {
        try writer.print("{s} in {s}, at most so many of them", .{ name, self.unit });
    }
};

/// Sums up the sizes of files.
pub fn weigh(sizes: []const u64) u64 {
    var total: u64 = 0;
    for (sizes) |size| total += size; // in bytes, as the file system tells it
    return total;
}
""",
        {
            "Scale": ("pub const Scale", "unit });\n    }\n};"),
            "weigh": ("/// Sums", "return total;\n}"),
        },
    ),
}
# Languages without functions: nothing is named, nothing is lost.
WITHOUT_FUNCTIONS = ["css", "hcl", "html", "json", "make", "toml", "yaml"]
IS_INTEL_MAC = sys.platform == "darwin" and platform.machine() != "arm64"
# Their grammars have no wheel for a Mac with an Intel processor.
WITHOUT_GRAMMAR = {"perl", "matlab"} if IS_INTEL_MAC else set()


def pieces_at(pieces: list[Piece], path: str) -> list[Piece]:
    return [piece for piece in pieces if ".".join(piece.heading_path) == path]


@pytest.mark.parametrize("language", sorted(SAMPLES.keys() - WITHOUT_GRAMMAR))
def test_functions_are_found_and_whole(language: str) -> None:
    text, definitions = SAMPLES[language]
    pieces = split(text, "code", outline(text, language), language)
    assert all(text[piece.start : piece.end] == piece.content for piece in pieces)
    assert "".join("".join(piece.content for piece in pieces).split()) == "".join(text.split())
    for path, (first, last) in definitions.items():
        (piece,) = pieces_at(pieces, path)
        assert first in piece.content
        assert last in piece.content[piece.content.index(first) :]


@pytest.mark.parametrize("language", SAMPLES)
def test_nothing_is_lost_without_a_syntax_tree(language: str) -> None:
    text, _ = SAMPLES[language]
    pieces = split(text, "code")
    assert "".join("".join(piece.content for piece in pieces).split()) == "".join(text.split())
    assert any(piece.heading_path for piece in pieces)


def test_thirty_languages_have_functions() -> None:
    assert len(SAMPLES) >= 30
    assert set(SAMPLES) | set(WITHOUT_FUNCTIONS) == LANGUAGES


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_every_grammar_loads(language: str) -> None:
    assert (grammar_of(language) is not None) == (language not in WITHOUT_GRAMMAR)


def test_a_language_without_its_grammar_has_no_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tree_sitter_perl", None)
    grammar_of.cache_clear()
    assert outline(SAMPLES["perl"][0], "perl") == []
    grammar_of.cache_clear()


@pytest.mark.parametrize(
    ("name", "language"),
    [("C++", "cpp"), ("c#", "csharp"), (".py", "python"), ("Shell", "bash"), ("JSX", "javascript")],
)
def test_a_language_has_many_names(name: str, language: str) -> None:
    assert language_named(name) == language


@pytest.mark.parametrize("name", [None, "", "brainfuck", "text"])
def test_an_unknown_name_is_no_language(name: str | None) -> None:
    assert language_named(name) is None
