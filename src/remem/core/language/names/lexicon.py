"""Words that tell what a name is a name of, and words that are never names."""

from remem.core.language.stopwords import STOP_WORDS

MONTHS = frozenset(
    "January February March April May June July August September October November December Jan"
    " Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec".split()
)
DAYS = frozenset(
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday Mondays Tuesdays Wednesdays"
    " Thursdays Fridays Saturdays Sundays Mon Tue Tues Wed Thu Thur Thurs Fri Sat Sun Today"
    " Tomorrow Yesterday Tonight Spring Summer Autumn Winter".split()
)
PEOPLES = frozenset(
    "English German French Spanish Italian Portuguese Dutch Swedish Danish Norwegian Finnish"
    " Polish Russian Ukrainian Greek Turkish Arabic Hebrew Persian Hindi Chinese Mandarin"
    " Cantonese Japanese Korean Vietnamese Thai Latin American British Canadian Australian Irish"
    " Scottish Welsh Swiss Austrian Belgian European Asian African Indian Mexican Brazilian"
    " Czech Hungarian Romanian Bulgarian Croatian Serbian Americans Germans Europeans Christian"
    " Muslim Jewish Catholic Buddhist Hindu Republican Democrat Victorian Renaissance Internet"
    " Web God".split()
)
ABBREVIATIONS = frozenset(
    "AM PM OK TODO FIXME NB PS FYI ASAP ETA FAQ PDF CSV URL URI API APIs UI UX ID IDs PR PRs MR"
    " CI CD CPU GPU RAM SSD USB TV PC IT HR CEO CTO CFO COO VP QA KPI OKR OKRs MVP SaaS LLM LLMs"
    " AI ML CLI SDK IDE ORM DB OS VM VMs VPN IP TCP UDP REST CRUD CPUs GPUs UTC GMT CET PST EST"
    " USD EUR GBP CHF VAT PhD MSc BSc MBA DIY ATM GPS WiFi Wi-Fi PIN SMS NGO R&D B2B B2C ROI NDA"
    " RFC SLA SLO RPC DM TBD BTW IMO AKA DNA RNA HIV MRI Q1 Q2 Q3 Q4 H1 H2 A B C D E F G H J K L"
    " M N O P R S T U V W X Y Z".split()
)
# What statements begin with and orders are given by; nouns for people in general.
OPENERS = frozenset(
    "met told saw gave emailed use uses using used call ask tell meet email remember buy book"
    " fix deploy check review send schedule prefer prefers avoid update add remove visit note"
    " todo reminder please thanks thank hello hi hey dear regards yes no sorry contact invite"
    " join pay read write run build test make create delete set start stop try keep let see look"
    " find get give take talk speak order cancel renew finish prepare plan discuss follow ping"
    " merge migrate replace switch upgrade install enable disable ensure consider never always"
    " user users team teams customer customers client clients everyone everybody nobody somebody"
    " someone anyone people mother father mom dad mum grandma grandpa wife husband management"
    " engineering marketing sales support legal finance accounting staff developers engineers"
    " designers students children kids neighbours neighbors friends colleagues parents cats dogs"
    " tea coffee lunch dinner breakfast payroll rent backups logs tests meeting meetings project"
    " projects task tasks issue issues bug bugs feature release releases version error errors"
    " warning decision decided agreed new old good bad great big small next last first second"
    " third final draft summary agenda notes key main current previous according based given"
    " during despite besides meanwhile recently currently originally finally eventually lately"
    " apparently unfortunately hopefully overall however moreover also then later earlier once"
    " twice soon now maybe perhaps likes loves hates wants needs works lives moved born married"
    " allergic owns drives plays speaks studied graduated sleeps services server servers data"
    " database production staging development master password passwords total question answer"
    " example step steps section chapter part page table figure option options phase sprint week"
    " weeks month year years day days morning evening night room floor flight train car house"
    " home office school work company".split()
)
FUNCTION_WORDS = STOP_WORDS["en"]
SMALL_WORDS = frozenset("a an the of in on to for and or with by at from vs as is".split())
GERMAN_WORDS = frozenset(
    "der die das und ist nicht ein eine mit für auf den dem von zu im ich wir sie er hat".split()
)

TITLES = frozenset("Dr Mr Mrs Ms Miss Prof Professor Sir Madam Dame Herr Frau Doctor".split())
PARTICLES = frozenset("van von de da del della der di du la le den ten bin ibn al".split())
RELATIVES = frozenset(
    "wife husband friend brother sister colleague boss manager daughter son mother father mom"
    " dad mum girlfriend boyfriend partner cousin uncle aunt nephew niece grandmother"
    " grandfather roommate flatmate neighbour neighbor coworker mentor dentist doctor therapist"
    " teacher".split()
)
PERSON_VERBS = frozenset(
    "said says lives lived works worked prefers preferred likes loves hates wants wanted asked"
    " told thinks thought joined married wrote studied graduated owns drives speaks allergic"
    " celebrates recommended suggested called emailed visited travelled traveled plays cooks"
    " teaches leads reports manages retired sings paints promised complained agreed insists"
    " believes".split()
)
PLACE_CUES = frozenset("in near".split())
TRAVEL_CUES = frozenset(
    "moved move moving flew fly flying travel travelled traveled trip flight drove drive train"
    " went going relocated".split()
)

ORGANIZATION_ENDS = frozenset(
    "Inc Corp Corporation Ltd LLC GmbH AG SA NV Oy Company Co University College Institute"
    " School Academy Bank Foundation Labs Lab Laboratories Group Council Ministry Agency"
    " Association Society Union Committee Consulting Partners Ventures Capital Holdings"
    " Industries Technologies Solutions Software Systems Studios Records Airlines Airways"
    " Hospital Clinic Museum Orchestra Church Court Department Analytics Robotics Insurance"
    " Pharma Motors Bakery".split()
)
ORGANIZATION_STARTS = frozenset("University Bank Ministry Department Institute Museum".split())
PLACE_ENDS = frozenset(
    "Street Avenue Road Boulevard Square Park River Lake Island Islands Mountain Mountains"
    " Valley Airport Station Bridge Beach Bay Forest Harbour Harbor Castle County City Coast"
    " Desert Ocean Sea Canyon Falls Gardens Hill Hills".split()
)
PLACE_STARTS = frozenset("Lake Mount Cape Port Fort Saint".split())
EVENT_ENDS = frozenset(
    "Conference Summit Meetup Festival Hackathon Workshop Symposium Marathon Tournament Expo"
    " Congress Championship Gala Carnival Day Awards Prize".split()
)
SYSTEM_ENDS = frozenset(
    "Service Server Gateway Database Platform System Pipeline Cluster Queue Dashboard Engine"
    " Scheduler Worker Proxy Registry Warehouse Backend Frontend App Portal".split()
)

FIRST_NAMES = frozenset(
    "Aaron Abdul Abigail Ada Adam Adele Adrian Agnes Ahmed Aisha Alan Albert Alejandro Alex"
    " Alexander Alexandra Alexis Alfred Ali Alice Alicia Allison Alma Amanda Amelia Amina Amir"
    " Amy Ana Anders Andrea Andreas Andrew Andy Angela Anita Anja Ann Anna Anne Annie Anthony"
    " Antonio Anton Aria Arjun Arthur Astrid Ashley Barbara Beatrice Ben Benjamin Bernard Bert"
    " Beth Betty Bill Bjorn Bob Boris Brandon Brenda Brian Bruce Bruno Calvin Camille Carl Carla"
    " Carlos Carol Caroline Carmen Catherine Cecilia Charles Charlie Charlotte Chen Chiara Chloe"
    " Chris Christian Christina Christine Christopher Claire Clara Claudia Cody Colin Connor"
    " Craig Cynthia Daniel Daniela Dana Dave David Deborah Dennis Derek Diana Diego Dmitri"
    " Dominic Donald Donna Dora Doris Dorothy Douglas Dylan Ed Eddie Edgar Edith Eduardo Edward"
    " Elena Eleanor Eli Elias Elijah Elisa Elizabeth Ella Ellen Emil Emily Emma Eric Erica Erik"
    " Erika Ernest Esther Ethan Eugene Eva Evan Eve Evelyn Fabio Farid Fatima Felipe Felix"
    " Fernando Fiona Florian Frances Francesca Francis Francisco Frank Franz Fred Frederick"
    " Frida Fritz Gabriel Gabriela Gary George Gerald Gertrude Gina Giovanni Giulia Gloria"
    " Gordon Grace Greg Gregory Greta Guido Gustav Hannah Hans Harold Harriet Harry Hassan"
    " Heather Hector Heidi Helen Helena Henry Herbert Hiroshi Howard Hugo Ian Ibrahim Ida Ines"
    " Ingrid Irene Iris Isaac Isabel Isabella Ivan Ivy Jack Jackson Jacob James Jamie Jan Jane"
    " Janet Jasmine Jason Javier Jay Jean Jeff Jeffrey Jennifer Jenny Jeremy Jerry Jesse Jessica"
    " Jill Jim Jimmy Joan Joana Joanna Joe Joel Johan Johannes John Johnny Jon Jonas Jonathan"
    " Jordan Jorge Jose José Joseph Josh Joshua Joyce Juan Judith Judy Julia Julian Julie Juliet"
    " Jun Justin Kai Karen Karl Karin Kate Katherine Kathleen Katie Katrin Kay Keith Kelly Ken"
    " Kenji Kenneth Kevin Kim Klaus Kofi Kristin Kumar Kurt Kyle Lara Larry Lars Laura Lauren"
    " Lea Leah Lee Lei Lena Leo Leon Leonard Leonardo Leslie Lewis Liam Lily Linda Lisa Liz"
    " Lorenzo Louis Louise Luca Lucas Lucia Lucy Luis Lukas Luke Lydia Mabel Maggie Magnus"
    " Mahmoud Manuel Marc Marco Marcus Margaret Maria Marie Marina Mario Marisol Mark Marta"
    " Martha Martin Mary Mateo Matt Matteo Matthew Max Maya Megan Mei Melanie Melissa Michael"
    " Michelle Miguel Mike Mila Milan Miriam Mohamed Mohammed Molly Monica Moritz Muhammad Nadia"
    " Nancy Naomi Natalie Natasha Nathan Neil Nelson Nicholas Nick Nicolas Nicole Nigel Nikita"
    " Nikolai Nina Noah Noor Nora Norman Oleg Olga Oliver Olivia Omar Oscar Otto Pablo Pamela"
    " Patricia Patrick Paul Paula Pavel Pedro Penelope Pete Peter Petra Phil Philip Philipp"
    " Pierre Priya Rachel Rafael Raj Rajesh Ralph Ravi Raymond Rebecca Regina Rene Ricardo"
    " Richard Rick Rita Robert Roberto Robin Roger Roland Roman Ron Ronald Rosa Rosalind Rosie"
    " Ross Roy Ruth Ryan Sabine Sally Salma Sam Samantha Samir Samuel Sandra Sanjay Sara Sarah"
    " Scott Sean Sebastian Sergei Shane Sharon Shirley Silvia Simon Simone Sofia Sonja Sophia"
    " Sophie Stefan Stella Stephanie Stephen Steve Steven Stuart Sue Susan Susanne Sven Svetlana"
    " Sylvia Tamara Tanya Tara Ted Teresa Terry Theo Theodor Theresa Thomas Tiffany Tim Timothy"
    " Tina Tobias Todd Tom Tomas Tommy Tony Tracy Travis Ulrich Ursula Valentina Valerie Vanessa"
    " Vera Veronica Victor Victoria Viktor Vincent Viola Virginia Vivian Vladimir Walter Wanda"
    " Wei Wendy Werner Wilhelm William Winston Wolfgang Xavier Yara Yasmin Yuki Yusuf Yvonne"
    " Zach Zachary Zara Zelda Zoe Zoë".split()
)
# Names of people that are also months, things or verbs: alone they are taken only with a sign.
DOUBTFUL_NAMES = frozenset(
    "Bill Grace Mark Jack Rose Max Jan Iris Ivy Lily Kay Eve Ray Sue Jun".split()
)
