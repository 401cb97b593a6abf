import { Pause, Play } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import type { GraphData } from "~/features/graph/graph";
import { shortDate } from "~/lib/format";
import { t } from "~/lib/language";
import { Button } from "~/ui/button";

const STEPS = 60;
const TICK_MS = 120;

export type Range = {
  step: number;
  playing: boolean;
  until: string | undefined;
  known: boolean;
  setStep: (step: number) => void;
  setPlaying: (playing: boolean) => void;
};

/** The time up to which the graph is shown; playing shows its growth from the first day. */
export function useTimeRange(graph: GraphData | undefined): Range {
  const [step, setStep] = useState(STEPS);
  const [playing, setPlaying] = useState(false);
  const [first, last] = useMemo(() => {
    const times = (graph?.nodes ?? []).flatMap(({ created_at: at }) =>
      at ? [Date.parse(at)] : [],
    );
    return times.length ? [Math.min(...times), Math.max(...times)] : [0, 0];
  }, [graph]);
  useEffect(() => {
    if (!playing) return;
    const timer = setInterval(() => {
      setStep((at) => {
        if (at >= STEPS) setPlaying(false);
        return Math.min(STEPS, at + 1);
      });
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [playing]);
  const known = last > first;
  const until =
    known && step < STEPS
      ? new Date(first + ((last - first) * step) / STEPS).toISOString()
      : undefined;
  return { step, playing, until, known, setStep, setPlaying };
}

export function TimeRange({ range }: { range: Range }) {
  const { step, playing, until, known, setStep, setPlaying } = range;
  if (!known) return null;
  return (
    <div className="pointer-events-auto flex items-center gap-2 rounded-md border bg-surface px-2 py-0.5 text-sm">
      <Button
        variant="quiet"
        size="sm"
        aria-label={playing ? t("Pause") : t("Show how it grew")}
        onClick={() => {
          if (!playing && step >= STEPS) setStep(0);
          setPlaying(!playing);
        }}
      >
        {playing ? <Pause size={14} /> : <Play size={14} />}
      </Button>
      <input
        type="range"
        aria-label={t("Show the graph until")}
        aria-valuetext={until ? shortDate(until) : "now"}
        min={0}
        max={STEPS}
        value={step}
        onChange={(event) => {
          setPlaying(false);
          setStep(Number(event.target.value));
        }}
        className="w-40 accent-(--accent)"
      />
      <span className="w-24 text-xs text-muted">{until ? shortDate(until) : t("Now")}</span>
    </div>
  );
}
