import { diagnoses, places, streets, subjects, topics, towns } from './things.ts';
import { rulesIn } from './wording.ts';

/** Texts by the names of columns. */
export const columnRules = rulesIn(String.raw`
notes?|comment|description|reason|summary|remark|message|feedback|complaint|synopsis|purpose : =sentence
(first|given|fore) ?name : {{person.firstName}}
(last|family|sur) ?name : {{person.lastName}}
(user ?name|login|handle|nick(name)?) : {{internet.username}}
e ?mail : =email
(url|uri|link|website|homepage|href)$ : =url
slug$ : =slug
phone|mobile|fax|tel : {{phone.number({"style":"international"})}}
(city|town|birthplace)$ : ${towns}
country code$ : CH|DE|ES|FR|GB|IT|NL|PL|SE
country$ : France|Germany|Italy|Netherlands|Poland|Spain|Sweden|United Kingdom
nationality$ : British|Dutch|French|German|Irish|Italian|Polish|Spanish|Swedish
(street|address|location)$ : {{number.int({"min":1,"max":90})}} : ${streets}
(zip|post(al)? ?code) : #[0-9]{5}
iban : {{finance.iban}}
bic|swift : {{finance.bic}}
isbn : #978[0-9]{10}
ean|barcode : #[0-9]{13}
currency : EUR|CHF|GBP|USD|SEK|PLN
locale|lang : en|de|fr|nl|es
languages?|mother tongue : English|German|French|Dutch|Spanish|Polish
(micro)?chip : #[0-9]{15}
room( number| no)?$ : #[1-9][0-9]{2}
row$ : #[A-M]
^seat$ : #[1-9][0-9]
shelf( mark)?$ : #[A-Z]{2} [0-9]{3}
vat (number|no|id)$ : #GB[0-9]{9}
code|number|no of room|table|locker|desk|bed|gate|plot|seat|kennel|cabin|apartment|flat|house|berth|bay|pitch; : #[1-9][0-9]{2}
(vat|tax|sku|code|reference|ref|number|no|key|serial|license|licence|plate|(ear|asset) tag)$ : #[A-Z]{2}-[0-9]{4}
(origin|destination|departure|arrival)$ : ${towns}
make|brand|manufacturer of bike|bicycle; : Batavus|Bianchi|Brompton|Cube|Gazelle|Giant|Scott|Trek
make|brand|manufacturer of vehicle|car|van|truck|lorry|bus|taxi; : Ford|Opel|Peugeot|Renault|Skoda|Toyota|Volkswagen|Volvo
(make|brand|manufacturer)$ : {{company.name}}
model of bike|bicycle; : City|Cargo|Folding|Mountain|Racing|Touring : bike
model of vehicle|car|van|truck|lorry|bus|taxi|tractor; : Active|Basic|Comfort|Sport|Style : {{number.int({"min":2,"max":9})}}00
model$ : Basic|Classic|Compact|Plus|Standard : {{number.int({"min":100,"max":900})}}
week ?day$ : Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday
medium$ : Bronze|Charcoal|Etching|Oil on canvas|Photograph|Watercolour
level : beginner|intermediate|advanced
secret|token|hash|salt|pin|fingerprint : #[A-Z0-9]{24}
version : {{system.semver}}
drug|medicine of cow|cattle|sheep|goat|horse|animal : Calcium|Ceftiofur|Meloxicam|Oxytetracycline|Penicillin
drug|medicine : Amoxicillin|Cetirizine|Ibuprofen|Meloxicam|Omeprazole|Paracetamol
dose : 5 mg|10 mg|20 mg|50 mg|100 mg : daily|in the morning|twice a day
vaccine : Influenza|Hepatitis B|Measles|Rabies|Tetanus
(file|file ?name|path)$ : {{word.noun}}.pdf
colou?r : red|blue|green|yellow|white|black|grey|brown
job|profession|occupation : Accountant|Baker|Carpenter|Electrician|Engineer|Gardener|Librarian|Nurse|Plumber|Teacher
latin|scientific|botanical : Allium|Beta|Brassica|Daucus|Mentha|Salvia : alba|maritima|officinalis|rubra|vulgaris
unit : piece|box|metre|litre|kilogram|hour
size : small|medium|large
material : wood|steel|glass|cotton|clay|paper
gender|sex : female|male
blood (type|group) : A+|A-|AB+|AB-|B+|B-|O+|O-
allerg(y|ies) : Dust|Latex|Milk|None|Nuts|Penicillin|Pollen
diagnosis of cow|cattle|herd|sheep|goat : Hoof infection|Mastitis|Milk fever|Pneumonia
diagnosis : ${diagnoses}
special(i?ty|ism) of coach|trainer : Boxing|Climbing|Pilates|Running|Swimming|Yoga
special(i?ty|ism) : Cardiology|Dermatology|General practice|Paediatrics|Surgery
industry|sector : Construction|Education|Energy|Finance|Food|Retail|Transport
soil : chalk|clay|loam|peat|sand
variety|cultivar : Dwarf|Early|Giant|Late : green|red|white|yellow
breed of cow|cattle|bull; : Angus|Brown Swiss|Guernsey|Holstein|Jersey
breed : Long-haired|Mixed|Short-haired
plan$ : Basic|Plus|Premium|Standard
^grade$ : A|B|C|D|E
^energy (rating|class|label)$ : A|B|C|D|E|F
^(semester|term)$ : Autumn|Spring : 2025|2026
^exercise$ : Bench press|Deadlift|Lunges|Plank|Press-ups|Rowing|Squats
title of lecturer|professor|doctor|physician|author|contact|client|customer; : Dr|Prof
^(department|subject) of teacher|tutor|lecturer|professor|lesson|course|class|exam|pupil|school : ${subjects}
^subject$ : Changes to|News of|A question about : the : ${places}
genre of performer|band|concert|album|song|track : Blues|Classical|Folk|Jazz|Pop|Rock
genre$ : adventure|comedy|crime|documentary|drama|history|romance
kind|type of leave|absence : annual leave|special leave|unpaid leave
kind|type|category of expense; : Meals|Office|Software|Training|Travel
(kind|type)$ : regular|special|standard|temporary
(tag|label|category|topic|keyword)s?$ : ${topics}
bio|biography|about : Lives in : ${towns} : and likes : books|cooking|gardens|history|music|theatre|travel
body|content|text|article|story|transcript : =paragraphs
company|organi[sz]ation|employer|vendor|supplier|brand|firm|merchant : {{company.name}}`);
