"""Words that say nothing of what a text is about, by language; they also give it away."""

_WORDS = {
    "en": """
        a about above after again against all almost along already also although always am
        among an and another any anyone anything are around as at away back be became
        because been before being below between both but by came can cannot could did do
        does doing done down during each either else enough even ever every everyone
        everything few first for from further gave get gets getting give go goes going gone
        got had has have having he her here hers herself him himself his how however i if in
        instead into is it its itself just keep kept last least less let like made make
        makes many may maybe me might mine more most much must my myself near need never
        next no nobody none nor not nothing now of off often on once one only onto or other
        others our ours ourselves out over own per perhaps put quite rather really said same
        saw say says see seen several shall she should since so some someone something
        sometimes soon still such take taken than that the their theirs them themselves then
        there therefore these they thing things think this those though through thus till to
        together too took toward two under until up upon us use used uses using usually very
        via want was way we well went were what whatever when where whether which while who
        whole whom whose why will with within without won't would yes yet you your yours
        yourself
    """,
    "de": """
        aber alle allem allen aller alles als also am an andere auch auf aus bei beim bin
        bis bist da damit dann das dass dein deine dem den denn der des dessen die dies
        diese diesem diesen dieser dieses doch dort du durch ein eine einem einen einer
        eines er es etwas euer für gegen gewesen hab habe haben hat hatte hatten hier hin
        hinter ich ihm ihn ihnen ihr ihre ihrem ihren im in ins ist ja jede jedem jeden
        jeder jetzt kann kein keine können man mehr mein meine mich mir mit muss nach nicht
        nichts noch nun nur ob oder ohne schon sehr sein seine seinem seinen seit sich sie
        sind so solche soll sollte sondern sonst über um und uns unser unter viel vom von
        vor war waren was weil welche wenn wer werde werden wie wieder will wir wird wo
        wurde wurden zu zum zur zwischen
    """,
    "fr": """
        à ai ainsi alors au aucun aussi autre aux avait avant avec avoir car ce cela ces cet
        cette ceux chaque chez comme comment dans de depuis des deux donc dont du elle elles
        en encore entre est et étaient était étant être eu fait faire fois font il ils je
        jusque la le les leur leurs lors lui là ma mais me même mes moi moins mon ne ni non
        nos notre nous on ont ou où par parce pas peu peut peuvent plus pour pourquoi quand
        que quel quelle qui sa sans se sera ses si son sont sous sur ta te tes toi ton tous
        tout toute toutes très tu un une va vers voici voilà vos votre vous été
    """,
    "es": """
        a al algo alguien alguna algunas alguno algunos ante antes aquel aquella aquí así
        aunque cada como con contra cual cuales cuando de del desde donde dos durante e el
        él ella ellas ellos en entre era eran es esa esas ese eso esos está están esta
        estaba estado estas este esto estos fue fueron ha había hace hacer hacia han hasta
        hay he la las le les lo los más me mi mientras mis mucho muchos muy nada ni no nos
        nosotros nuestra nuestro o otra otras otro otros para pero poco por porque puede
        pueden pues que qué quien se sea ser si sí sido siempre sin sino sobre son su sus
        también tan tanto tiene tienen todo todos tras tu tú un una unas uno unos usted y ya
        yo
    """,
    "it": """
        a abbiamo ad ai al alla alle allo anche ancora avere aveva c'è che chi ci ciò come
        con cosa così cui da dai dal dalla dalle degli dei del della delle dello di dopo
        dove due e è ed era erano essere fa fare fino fra già gli ha hanno ho i il in io la
        le lei li lo loro lui ma mai me meno mi mia mio molto ne nei nel nella nelle nessuno
        no noi non nostro o ogni per perché però più poi prima può quale quando quanto
        quella quelle quelli quello questa queste questi questo qui se sei sempre senza si
        sia siamo sono sopra sotto sta stata stato su sua sue sui sul sulla suo suoi tra tu
        tutti tutto un una uno va verso vi voi
    """,
    "pt": """
        a à ao aos aquela aquele aqui as às assim até cada com como contra da das de dela
        dele deles depois desde do dos e é ela elas ele eles em então entre era eram essa
        esse esta está estão estava este eu foi for foram há isso isto já la lhe mais mas me
        mesmo meu minha muito muitos na não nas nem no nos nós nossa nosso num numa o onde
        os ou outra outro para pela pelas pelo pelos por porque qual quando que quem se seja
        sem ser será seu seus só sobre sua suas também tem têm ter toda todas todo todos tu
        um uma umas uns você vocês
    """,
    "nl": """
        aan af al alle alleen als altijd andere ben bij daar dan dat de der deze die dit
        doch doen door dus een en er ge geen geweest haar had heb hebben heeft hem het hier
        hij hoe hun iemand iets ik in is ja je kan kon kunnen maar me meer men met mij mijn
        moet na naar niet niets nog nu of om omdat onder ons ook op over reeds te tegen toch
        toen tot u uit uw van veel voor want waren was wat we wel werd wezen wie wij wil
        worden wordt zal ze zei zelf zich zij zijn zo zonder zou
    """,
    "sv": """
        alla att av blev bli blir både de dem den denna dess det detta dig din du där då
        efter ej eller en er ett från för ha hade han har hon hur här i icke ingen inom inte
        jag kan kunde man med mellan men mig min mot mycket ni nu när någon något några och
        om oss på samma sedan sig sin sina som så till under upp ut utan vad var vara varför
        varit vart vem vi vid vilken är över
    """,
    "da": """
        af alle at blev blive bliver da de dem den denne der deres det dette dig din disse
        dog du efter eller en end er et for fra ham han hans har have havde hende her hos
        hun hvad hvis hvor i ikke ind jeg jer jo kunne man mange med meget men mig min mod
        ned noget nogle nu når og også om op os over på selv sig sin skal skulle som sådan
        thi til ud under var vi vil ville vor være været
    """,
    "pl": """
        a aby ale bardzo bez bo by być był była było były choć co czy czyli dla do gdy gdzie
        go i ich ile im innych ja jak jako je jednak jego jej jest jestem jeszcze już każdy
        kiedy kto która które który lub ma mają mi mnie może można mój my na nad nam nas
        nasz nie nią nich niż no o od on ona one oni oraz po pod ponieważ przed przez przy
        są się sobie tak także tam te tego tej ten to tu tych tylko tym tyle u w was wiele
        więc wszystko z za ze że
    """,
    "ru": """
        а без более бы был была были было быть в вам вас весь во вот все всего всех вы где
        да даже для до его ее ей ему если есть еще же за здесь и из или им их к как когда
        кто ли либо мне может мы на над надо наш не него нее нет ни них но ну о об однако он
        она они оно от очень по под при с со так также такой там те тем то того тоже той
        только том ты у уже хотя чего чей чем что чтобы чье эта эти это этого этой этот я
    """,
    "tr": """
        acaba ama ancak aslında az bana bazı belki ben beni benim bir biri birkaç birşey biz
        bu buna bunda bundan bunu bunun burada çok çünkü da daha de defa değil diye eğer en
        gibi hem hep hepsi her hiç için ile ise işte kadar kendi ki kim mı mi mu mü nasıl ne
        neden nerede niye o olan olarak oldu olduğu olduğunu olur ona onlar onu onun sen siz
        sonra şey şu tüm var ve veya ya yani yok
    """,
}
STOP_WORDS = {language: frozenset(words.split()) for language, words in _WORDS.items()}
# What pages say around their text, and what is too common to tell one text from another.
EMPTY_WORDS = frozenset(
    """
    able actually add added allow allows apr april aug august available based best better
    big bit certain clear click come comes comment comments common contact continue cookie
    cookies copyright create created day days dec december different e.g easy etc example
    examples fact false far feb february file files find following friday full general good
    great hand hard hello help hey hi high home hour hours i.e important include includes
    including jan january jul july jun june kind know large later link links little log
    login long look lot main mar march means menu minute minutes monday month months name
    new news newsletter none note nov november null number oct october ok okay old page
    pages part people place please point policy possible post posted present privacy problem
    provide provides published read reading real recent related reserved result results
    right rights run running saturday search section sep sept september set share show shows
    sign simple single site skip small start started step steps subscribe sunday support
    sure table terms thank thanks thursday time times today true try tuesday type types
    updated value values various version view vs website wednesday week weeks word words
    work works world year years
    """.split()
)
ALL_STOP_WORDS = frozenset(word for words in STOP_WORDS.values() for word in words)
