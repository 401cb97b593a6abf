"""Words that tell nothing of what a text is about, in the languages people write most."""

STOP_WORDS = frozenset(
    """
    a about above after again against all also although always am among an and any anyone are
    around as at away back be became because become been before being below between both but by
    came can cannot come could day did do does doing done down during each either else enough
    even ever every few first for from further gave get give go going gone good got great had has
    have having he her here hers him his how however i if in into is it its itself just keep kind
    last least less let like little long look lot made make many may maybe me might mine more most
    much must my myself need never new next no nor not nothing now of off often oh okay old on
    once one only onto or other others our ours out over own part people perhaps put quite rather
    really right said same saw say says see seem seen she should since so some someone something
    soon still such take tell than thank thanks that the their theirs them then there these they
    thing things think this those though three through time times to today together too toward
    two under until up upon us use used using very want was way we well went were what when where
    whether which while who whole whom whose why will with within without would yes yet you your
    yours hello hey sure user assistant
    der die das den dem des ein eine einen einem einer eines und oder aber nicht kein keine auch
    als wie wenn dass weil auf aus bei bis durch für gegen hat haben hatte ich ihr ihre ihm ihn im
    ist sind sein seine war waren wird werden wurde mit nach noch nur ohne über um unter von vor
    wir sie sich so zu zum zur schon sehr mehr man mir mich
    le la les un une des du de et ou mais ne pas que qui quoi dans sur sous avec sans pour par est
    sont était être avoir ont aux ce cette ces son sa ses leur leurs nous vous ils elles je tu il
    elle on plus très comme aussi bien fait même
    el los las una unos unas y o pero no que en con sin para por es son era fue ser estar como más
    muy ya su sus se lo al del este esta estos estas también cuando donde
    il lo gli i una di e ma non che in con per da su è sono era essere come più molto anche nel
    nella dei delle
    """.split()
)
