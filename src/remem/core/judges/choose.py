"""Choose the judge by the models that are available."""

from remem.core.judges.by_model import ModelJudge
from remem.core.judges.by_reader import ReaderJudge
from remem.core.judges.by_rules import RulesJudge
from remem.core.model_ports import Judge, Llm, Reader
from remem.core.ports import Analysis


def choose_judge(analysis: Analysis, reader: Reader | None, llm: Llm | None) -> Judge:
    judge: Judge = ReaderJudge(analysis, reader=reader) if reader else RulesJudge(analysis)
    return ModelJudge(llm, judge) if llm else judge
