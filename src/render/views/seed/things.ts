import { rulesIn } from './wording.ts';

export const topics =
  'art|books|cooking|family|film|gardens|health|history|music|nature|sport|theatre|travel|weather';
export const subjects = 'Biology|Chemistry|English|Geography|History|Maths|Music|Physics';
export const diagnoses =
  'Allergy|Cough|Ear infection|Fever|Fracture|Healthy|Overweight|Sprain|Toothache';
export const places =
  'workshop|garden|library|kitchen|entrance|north wing|car park|reading room|roof|playground';
export const towns =
  'Aarhus|Bath|Bergen|Bologna|Bruges|Cork|Dresden|Ghent|Graz|Leeds|Lyon|Porto|Riga|Turin|Utrecht|York';
export const streets =
  'Bridge Street|Church Lane|High Street|Mill Road|Park Avenue|Queen Street|Station Road|Victoria Road';

/** Names of rows, by kind of thing (`<a>`). */
export const thingRules = rulesIn(String.raw`
(author|person|customer|recipient|user|member|client|patient|student|pupil|teacher|employee|artist|guest|contact|doctor|player|speaker|visitor|parent|child|driver|owner|tenant|volunteer|trainer|donor|vet|pilot|nurse|judge|lawyer|seller|buyer|borrower|reader|candidate|applicant|instructor|guide|coach|host|director|adopter|mechanic|inspector|composer|manager|landlord|editor|photographer|cook|captain|witness|sender|agent|broker|dentist|farmer|holder|lecturer|musician|physician|professor|singer|surgeon|technician|therapist|tutor|worker)s? : {{person.firstName}} : {{person.lastName}}
company|supplier|vendor|brand|organi[sz]ation|shop|store|firm|publisher|merchant : {{company.name}}
city|town : ${towns}
country : France|Germany|Italy|Netherlands|Poland|Spain|Sweden|United Kingdom
books? : {{book.title}}
songs?|tracks?|albums? : {{music.songName}}
(performer|band|act)s? : The : Harbour|Midnight|River|Silver|Stone|Winter : Band|Orchestra|Quartet|Singers|Trio
recipe|dish|meal : {{food.dish}}
ingredient : {{food.ingredient}}
species of crop|field|garden|bed : Beans|Beetroot|Cabbage|Carrots|Leeks|Lettuce|Onions|Peas|Potatoes|Spinach|Tomatoes
crop|plant|vegetable|seed : Beans|Beetroot|Cabbage|Carrots|Leeks|Lettuce|Onions|Peas|Potatoes|Spinach|Tomatoes
fruit : Apples|Blackcurrants|Cherries|Pears|Plums|Raspberries|Strawberries
field : Church|Long|Lower|Mill|North|South|Upper|West : field|meadow|acre
animal|pet|dog|cat|horse|cow|sheep : {{animal.petName}}
(bike|bicycle)s? : City|Cargo|Folding|Mountain|Racing|Touring : bike
(vehicle|car|van|truck|lorry|bus|taxi)s? : {{vehicle.vehicle}}
(part|spare|component)s? : Battery|Bearing|Belt|Cable|Filter|Fuse|Gasket|Hinge|Lamp|Spring|Switch|Valve
tool|equipment : Hammer|Spade|Ladder|Drill|Handsaw|Rake|Wheelbarrow|Sander|Toolbox|Hedge trimmer
product|item|goods : Blue|Folding|Green|Grey|Large|Plain|Round|Small|Striped|White|Wooden : basket|bench|blanket|bowl|box|chair|clock|cushion|jug|lamp|mug|plate|shelf|stool|tray|vase
(film|movie)s? : A Small|Another|One More|Our Second|The Last|The Long : Harbour|Journey|Letter|Summer
school class : Class : 5a|5b|6a|6b|7a|7b|8a|8b|9a|9b
department : Finance|Human resources|Marketing|Production|Purchasing|Sales|Support
category|section : {{commerce.department}}
room|hall|studio|office|table|locker|desk|bed|gate|plot : <A> {{number.int({"min":1,"max":40})}}
plan|membership|subscription : Basic|Family|Flexible|Off-peak|Premium|Student
venue : Central|Grand|New|Old|Park|Riverside : Arena|Concert Hall|Playhouse|Theatre|Town Hall
property|listing|apartment|flat : Close to the station|In the old town|Near the park|On the edge of town|With a view of the river
garden|park|building|house|school|site|branch|station|library|clinic|hotel|warehouse|farm : ${streets} : <a>
workout|training|fitness : Boxing|Circuit training|Pilates|Spinning|Strength training|Stretching|Yoga
course : Advanced|Introduction to|Practical : biology|chemistry|economics|history of art|law|music|photography|statistics
event : Spring|Summer|Autumn|Winter|Evening : concert|fair|festival|gala|show
meeting|show|conference|festival|concert|workshop|lesson|class|lecture : Spring|Summer|Autumn|Winter|Evening|Weekend|Annual|Open : <a>
project|campaign|initiative|goal|idea : Renewal|Extension|Repair|Opening|Review|Planning : of the : ${places}
repair : Battery|Cable|Cover|Hinge|Lamp|Lock|Motor|Switch : adjusted|cleaned|repaired|replaced
task|ticket|issue|todo|job|work order|request : Check|Clean|Repair|Paint|Prepare|Inspect|Tidy : the : ${places}
tag|label|keyword|skill|topic|genre : ${topics}
review|rating|testimonial : As described|Better than expected|Good value|Not for me|Very good|Would choose it again
diagnosis : ${diagnoses}
post|article|page|news|story|thread|message|announcement|entry|note|journal : News from the|Changes at the|Plans for the|A day at the|Notes on the : ${places}`);
