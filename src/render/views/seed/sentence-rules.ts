import { rulesIn } from './wording.ts';

/** Reasons, purposes and remarks, by domain. */
export const sentenceRules = rulesIn(String.raw`
(cancel|withdraw)\w* (reason|note) : Change of plans|Illness|Moved away|No longer needed
(refund|return) (reason|note) : Arrived too late|Change of plans|Not as described|Ordered twice
(reject|refus|declin)\w* (reason|note) : Documents are missing|Over budget|Too late|Too short a notice
reason|complaint|purpose|symptoms? of pet|animal|dog|cat|horse : Check-up|Eye infection|Limping|Loss of appetite|Nail trimming|Skin irritation|Vaccination
reason|complaint|purpose|symptoms? of patient|doctor|physician|dentist : Back pain|Blood test|Check-up|Cough for two weeks|Earache|Headaches|Knee pain|Skin rash
instructions?|directions? of prescription|drug|medicine : After meals|Before going to bed|Do not drive|Until the pack is finished|With plenty of water
notes?|comment|remark of patient|doctor|physician|dentist : Brings earlier results|First visit|Needs an interpreter|Prefers mornings|Uses a wheelchair
reason|purpose|note|comment of leave|absence|holiday|vacation : Family celebration|Moving house|Summer holiday|Visiting relatives|Wedding
reason|complaint|problem|fault|description of bike|bicycle : Brakes squeal|Chain slips|Flat tyre|Gears need adjusting|Light does not work|Yearly service
reason|complaint|problem|fault|description of vehicle|car|van|truck|motorbike : Brakes squeal|Engine warning light is on|Exhaust is loud|Loses oil|New tyres|Pulls to the left|Yearly service
requests?|wish|wishes|notes?|comment of table|restaurant : Birthday dinner|High chair needed|Nut allergy|Table by the window|Vegetarian menu
requests?|wish|wishes|preferences?|notes? of stay|hotel|room|guest : Arrives late in the evening|Cot for a baby|Extra pillows|Parking space needed|Quiet room|Vegetarian breakfast
comment|feedback|body|text|description of review|rating|testimonial : Everything was as promised.|Friendly people, and good value.|It took longer than expected.|Nothing special, but all right.|We would choose it again.
feedback|comment|notes?|impression of viewing|property|house|flat|apartment : Asked about the heating costs|Kitchen is too small|Likes the garden|Too far from the station|Wants to see it again
goal of client|member|trainer|coach : Better posture|Lose five kilos|Run ten kilometres|Stronger back
comment|notes? of workout|session|training|exercise : A bit tired|Felt strong|Good pace|Knee hurt a little|More weight next time
purpose|reason|description|notes? of expense : Customer visit|New colleague|Team meeting|Workshop|Yearly conference
description|summary|text of line|item|position; : Advice|Design|Installation|Maintenance|Materials|Training|Travel
remark|comment|feedback|notes? of result|grade|exam|homework|assignment|submission : Careful work|Clear improvement|Good answers|Last question is missing|Needs more practice
description|summary of course|lesson|class; : For beginners, with exercises every week.|For those who know the basics.|In small groups, with an exam at the end.
description|summary of event|concert|show|festival; : An evening for the whole family.|Doors open half an hour before.|Free seating, with an interval.|Refreshments at the bar.
description|summary of property|listing|house|flat|apartment; : Bright rooms, ready to move into.|Quiet street, ten minutes from the centre.|Recently renovated, with a new kitchen.
description|summary of plan|membership|subscription; : All classes included.|For one person, at any time.|Mornings on working days.
conditions?|terms of offer|bid : Completion in three months|Including the kitchen|None|Subject to a mortgage|Subject to a survey
notes?|instructions? of order|parcel|shipment|delivery|sale : Back entrance|Call before delivery|Leave with the neighbours|Not before nine|Please ring twice
memo|notes? of invoice|bill|payment : As agreed by phone|Please quote the number|Second instalment|Thank you for your order
notes?|comment of hold|loan|copy|book : Cover is worn|For a school project|Large print if possible|Pages are loose
notes? of field|crop|plot|bed : Needs lime|Stony at the lower end|Wet in spring|Well drained
reason|purpose|agenda : A first talk|Follow-up|Planning for next month|Questions about the contract|Yearly review`);
