"""Towns and lands that everybody knows: who "moved to" one of them lives there."""

from collections.abc import Sequence

from remem.core.language.claims.value_kinds import COUNTRIES
from remem.core.language.words import Word

_TOWNS = """
aachen aarhus abidjan abu_dhabi accra addis_ababa adelaide agra ahmedabad albany albuquerque
aleppo alexandria algiers alicante almaty amman amsterdam anchorage ankara antalya antwerp
asheville ashgabat asmara astana asuncion athens atlanta auckland augsburg austin baghdad baku
bali baltimore bamako bangalore bengaluru bangkok barcelona bari basel bath baton_rouge beijing
beirut belfast belgrade belo_horizonte bergamo bergen berkeley berlin bern bielefeld bilbao
birmingham bishkek bochum bogota boise bologna bonn bordeaux boston boulder bournemouth brasilia
bratislava braunschweig bremen brest brighton brisbane bristol brno bruges brussels bucharest
budapest buenos_aires buffalo bursa busan cairo calgary cali cambridge canberra cancun cape_town
caracas cardiff casablanca catania chandigarh charleston charlotte chattanooga chemnitz chengdu
chennai chiang_mai chicago chisinau chongqing christchurch cincinnati cleveland cologne colombo
columbus copenhagen cordoba cork coventry cracow krakow curitiba dakar dalian dallas damascus
dar_es_salaam darmstadt darwin delft delhi new_delhi denver derby des_moines detroit dhaka doha
dortmund dresden dubai dublin duisburg durban dushanbe dusseldorf düsseldorf edinburgh edmonton
eindhoven erfurt essen eugene exeter florence fortaleza fort_worth frankfurt freiburg fukuoka
galway gdansk gdynia geneva genoa ghent glasgow goa gothenburg göteborg granada graz grenoble
groningen guadalajara guangzhou guatemala_city guayaquil haifa halifax halle hamburg hamilton
hanoi hanover hannover harare hartford havana heidelberg helsinki hiroshima ho_chi_minh_city
hobart hong_kong honolulu houston hyderabad ibadan indianapolis innsbruck istanbul izmir jaipur
jakarta jeddah jena jerusalem johannesburg kabul kampala kansas_city karachi karlsruhe kassel
kathmandu kaunas kazan kharkiv khartoum kiel kigali kingston kinshasa knoxville kobe kochi kolkata
kosice kuala_lumpur kuwait_city kyiv kiev kyoto la_paz lagos lahore las_vegas lausanne leeds
leicester leiden leipzig leuven lexington liege lille lima linz lisbon liverpool ljubljana lodz
łódź london los_angeles louisville luanda lublin lucerne lucknow lugano lusaka lviv lyon macau
madison madrid malaga malmo malmö manaus manchester manila mannheim maputo marrakesh marseille
mecca medellin medina melbourne memphis mexico_city miami milan milwaukee minneapolis minsk
mogadishu mombasa monterrey montevideo montpellier montreal moscow mumbai munich münchen munster
münster nagoya nairobi nantes naples nashville newark newcastle new_orleans new_york new_york_city
brooklyn manhattan nice nicosia norwich nottingham nuremberg nürnberg oakland odessa odesa
oklahoma_city omaha oporto osaka oslo ottawa oxford padua palermo palma palo_alto panama_city
paris pasadena perth perugia philadelphia phnom_penh phoenix pisa pittsburgh plovdiv plymouth
porto portland porto_alegre portsmouth potsdam poznan prague pretoria pristina providence pune
quebec quito rabat raleigh recife reggio regensburg rennes reykjavik riga rio_de_janeiro riyadh
rome rosario rostock rotterdam rouen saarbrücken sacramento saigon salamanca salt_lake_city
salvador salzburg samarkand san_antonio san_diego san_francisco san_jose san_juan san_salvador
santa_cruz santa_fe santiago santo_domingo sao_paulo são_paulo sapporo sarajevo savannah seattle
sendai seoul seville shanghai sheffield shenzhen siena skopje sofia southampton split springfield
stavanger st_louis stockholm strasbourg stuttgart suzhou sydney szczecin taipei tallinn tampa
tampere tangier tartu tashkent tbilisi tehran tel_aviv the_hague thessaloniki tianjin tijuana
tirana tokyo toronto toulouse trieste tripoli tromso tromsø trondheim tucson tulsa tunis turin
turku ulaanbaatar ulm uppsala utrecht vaduz valencia valletta valparaiso vancouver varanasi venice
verona victoria vienna vilnius warsaw washington wellington wiesbaden winnipeg wroclaw wrocław
wuhan würzburg xian yangon yekaterinburg yerevan yokohama york zagreb zaragoza zurich zürich
"""
_LANDS = """
alabama alaska arizona arkansas california colorado connecticut delaware florida hawaii idaho
illinois indiana iowa kansas kentucky louisiana maine maryland massachusetts michigan minnesota
mississippi missouri montana nebraska nevada new_hampshire new_jersey new_mexico north_carolina
north_dakota ohio oklahoma oregon pennsylvania rhode_island south_carolina south_dakota tennessee
texas utah vermont virginia west_virginia wisconsin wyoming ontario alberta british_columbia
nova_scotia bavaria saxony hesse tuscany sicily sardinia lombardy brittany normandy provence
catalonia andalusia galicia flanders wallonia yorkshire cornwall devon kent sussex surrey essex
queensland victoria tasmania the_netherlands the_philippines new_zealand the_uk the_us the_usa
the_united_states the_united_kingdom south_africa south_korea saudi_arabia costa_rica sri_lanka
north_macedonia el_salvador the_czech_republic crete mallorca majorca ibiza corsica tenerife
madeira malta the_countryside the_suburbs the_coast the_seaside
"""
_NAMES = frozenset(tuple(name.split("_")) for name in (_TOWNS + _LANDS).split()) | frozenset(
    (name,) for name in COUNTRIES
)
_LONGEST = max(map(len, _NAMES))


def begins_with_place(value: Sequence[Word]) -> bool:
    """Whether a value is a place that is known by its name, whatever is told of it behind that."""
    lows = tuple(word.low for word in value[:_LONGEST])
    length = next((n for n in range(len(lows), 0, -1) if lows[:n] in _NAMES), 0)
    # "Paris Agreement" is no Paris.
    return bool(length) and (value[length - 1].breaks or not _goes_on(value[length:]))


def _goes_on(rest: Sequence[Word]) -> bool:
    return bool(rest) and rest[0].named
