"""The rules that decide about statements without a language model. Pure: text in, decision out.

A new statement is saved:
    relate              updates, repeats, extends or resembles each known memory
      says_the_same       really a repetition?
      temporary           only an exception for a while?
      headings            under another heading, so about another thing?
    another_subject     about another person or numbered thing? Then never replaced or repeated
    change              which memories may be replaced if the reader agrees
      guards              what forbids or doubts that, in one table
      different_subject   another person, thing or matter
      text_form           code, labels, quotations
    classify            the category
    dates, expiry       dates, due date, end of validity

A document is saved:
    distil              the sentences to store
      worth               the score of a sentence
      weights, objections the numbers and patterns that `worth` uses

Later, in a job or on request:
    derive              split a memory into atomic facts
    sameness            may two memories be merged?
    merge               join their sentences
    insight             what follows from two memories together

Each module's docstring says what it decides, for whom, with an example. A change to a rule is
measured by `bench/`; see bench/README.md."""
