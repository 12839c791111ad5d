/**
 * The vocabulary of the demo data: names and small talk. Fictional, and the same on every machine.
 */

/**
 * A small deterministic random generator (mulberry32), so that the demo data is always the same.
 */
export function createRandom(seed: number) {
  let a = seed >>> 0;
  const next = () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return {
    next,
    int: (from: number, to: number) => from + Math.floor(next() * (to - from + 1)),
    pick: <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!,
    chance: (p: number) => next() < p,
  };
}
export type SeededRandom = ReturnType<typeof createRandom>;

export const firstNames =
  'Amelia Noah Harper Elijah Evelyn James Abigail Benjamin Emily Lucas Ella Mason Avery Ethan Sofia Logan Camila Jacob Aria Jackson Scarlett Levi Penelope Sebastian Layla Mateo Chloe Jack Victoria Owen Madison Theodore Eleanor Aiden Grace Samuel Nora Joseph Riley John Zoey David Hannah Wyatt Hazel Matthew Lily Luke Ellie Asher Violet Carter Lillian Julian Aubrey Isaac Aurora Gabriel Stella Anthony Natalie Dylan Emilia Leo Priya Wei Fatima Hiro Ingrid Kwame Leila Marisol Nikhil Olu Paloma Quinn Rashid Sunita Tomas Uma Viktor Ximena Yusuf Zainab'.split(
    ' ',
  );
export const lastNames =
  'Smith Johnson Williams Brown Jones Garcia Miller Davis Rodriguez Martinez Hernandez Lopez Gonzalez Wilson Anderson Thomas Taylor Moore Jackson Martin Lee Perez Thompson White Harris Sanchez Clark Ramirez Lewis Robinson Walker Young Allen King Wright Scott Torres Nguyen Hill Flores Green Adams Nelson Baker Hall Rivera Campbell Mitchell Carter Roberts Gomez Phillips Evans Turner Diaz Parker Cruz Edwards Collins Reyes Stewart Morris Morales Murphy Cook Rogers Gutierrez Ortiz Morgan Cooper Peterson Bailey Reed Kelly Howard Ramos Kim Cox Ward Richardson Watson Brooks Chavez Wood Patel Okafor Haddad Yamamoto Kowalski'.split(
    ' ',
  );

/** A message: `<` from the contact, `>` from us. */
export type Thread = readonly string[];
export interface Trade {
  name: string;
  threads: readonly Thread[];
  calls: readonly { tag: string; note: string }[];
  dialogs: readonly Thread[];
  voicemails: readonly string[];
  tags: readonly string[];
}

export const dental: Trade = {
  name: 'Harbor Dental',
  threads: [
    [
      '< Hi, do you have anything this week for a cleaning?',
      '> Hi {first}, we have Thursday at 10:30 or Friday at 2:00. Which works for you?',
      '< Thursday works',
      '> Booked for Thursday at 10:30. Reply here if anything changes.',
      '< Thank you!',
    ],
    [
      '> Hi {first}, this is Harbor Dental. Your appointment is tomorrow at 9:15 AM. Reply YES to confirm.',
      '< Yes, see you then',
    ],
    [
      '< My crown feels loose, should I worry?',
      '> Sorry to hear that, {first}. Please avoid chewing on that side. Can you come in tomorrow at 8:30?',
      '< I can be there',
      '> You’re on the schedule. Dr. Lindqvist will take a look.',
    ],
    [
      '< Do you take Delta Dental PPO?',
      '> We do. Bring your card and we will check your benefits before the visit.',
      '< Perfect',
    ],
    ['< Running ten minutes late, sorry', '> No problem, {first}. See you soon.'],
    [
      '> Hi {first}, your night guard is ready for pickup. We’re open until 5:30 today.',
      '< Great, I will stop by after work',
    ],
    [
      '< Can you send me the form again?',
      '> Of course, it’s in your email now. It only takes five minutes.',
      '< Got it, filled it out',
    ],
    [
      '< Is it normal that it still hurts after two days?',
      '> A little soreness is normal. If it gets worse or you have a fever, call us right away.',
      '< Ok, thanks',
    ],
    [
      '< What do I owe after insurance?',
      '> Your balance is $84.20, {first}. You can pay at the front desk or with the link in your statement.',
      '< I’ll pay at the front desk',
    ],
    [
      '< Could you move my kids to the same day?',
      '> Yes, both on the 14th: 3:00 and 3:30.',
      '< You are the best',
    ],
  ],
  calls: [
    { tag: 'New patient', note: 'Wants a cleaning and X-rays, referred by a neighbor.' },
    { tag: 'Emergency', note: 'Chipped tooth, booked same day.' },
    { tag: 'Insurance', note: 'Asked about out-of-network coverage.' },
    { tag: 'Reschedule', note: 'Moved to next week.' },
  ],
  dialogs: [
    [
      '> Harbor Dental, how can I help you?',
      '< Hi, I would like to book a cleaning. I have not been in for a while.',
      '> Happy to help. We have Thursday morning at ten thirty.',
      '< Thursday at ten thirty is perfect.',
      '> You are booked. We will text you a reminder the day before.',
    ],
    [
      '> Harbor Dental, good morning.',
      '< Good morning. I chipped a tooth and it hurts when I drink something cold.',
      '> I am sorry to hear that. Can you be here at two o’clock today?',
      '< Yes, I can. Thank you so much.',
    ],
    [
      '> Thank you for calling Harbor Dental. What can I do for you?',
      '< Do you take Delta Dental? I am new in town.',
      '> We do. I can check your benefits while we talk.',
      '< That would be great.',
    ],
  ],
  voicemails: [
    'Hi, this is Dana Reed. I need to move my appointment on Friday. Please call me back. Thanks.',
    'Hello, I am calling about the bill I received yesterday. I think my insurance was not applied. Please call me when you can.',
  ],
  tags: ['New patient', 'Emergency', 'Insurance', 'Reschedule'],
};

export const garage: Trade = {
  name: 'Cedar Auto Service',
  threads: [
    [
      '< Is my car ready?',
      '> Almost, {first}. The rotors are on, and we’re test driving it now.',
      '< Great, when can I come?',
      '> Any time after 4:15. We close at 6.',
    ],
    [
      '< How much for an oil change on a 2019 CR-V?',
      '> $64.95 with synthetic, a filter and a check of all fluids. Want a slot tomorrow?',
      '< Tomorrow at 8?',
      '> 8:00 it is.',
    ],
    [
      '> Hi {first}, your inspection is due this month. Reply with a day and we will book it.',
      '< Wednesday morning please',
      '> Wednesday 9:00, done.',
    ],
    [
      '< There is a grinding noise when I brake',
      '> Please don’t drive far with it. We can tow it in today or see you at 2:30.',
      '< I’ll bring it at 2:30',
    ],
    [
      '> {first}, the technician found a worn belt. Replacing it is $140. Should we go ahead?',
      '< Yes, go ahead',
      '> Thank you. Ready by 5.',
    ],
    [
      '< Do you have the winter tires in stock?',
      '> Four of them are here and reserved for you until Friday.',
    ],
  ],
  calls: [
    { tag: 'Service', note: 'Brake noise, booked.' },
    { tag: 'Parts', note: 'Winter tires reserved.' },
    { tag: 'Quote', note: 'Asked for a timing belt quote.' },
  ],
  dialogs: [
    [
      '> Cedar Auto, service desk.',
      '< Hi, my brakes are grinding. Can you take a look today?',
      '> Bring it in at two thirty and we will check the pads and rotors.',
      '< I will be there. Thank you.',
    ],
  ],
  voicemails: [
    'Hi, it is Marcus. Just checking whether the parts came in. You can text me at this number.',
  ],
  tags: ['Service', 'Parts', 'Quote'],
};

export const realty: Trade = {
  name: 'Blue Mesa Realty',
  threads: [
    [
      '< Is the house on Juniper Lane still available?',
      '> It is, {first}. Would you like to see it on Saturday?',
      '< Saturday at 11?',
      '> 11:00 works. I’ll meet you there.',
    ],
    [
      '> Hi {first}, two new listings match your search: 3 bed in Tempe and 4 bed in Mesa. Want the details?',
      '< Yes please, the one in Tempe',
      '> Sent to your email, with photos.',
    ],
    ['< Did the seller answer?', '> They countered at 412. Can we talk at noon?', '< Call me then'],
    ['< What are the HOA fees?', '> $85 a month, pool and trash included.'],
    [
      '> {first}, the inspection report is in. Nothing serious: one outlet and a slow drain.',
      '< Relief! Next steps?',
      '> I’ll send the amendment tonight.',
    ],
  ],
  calls: [
    { tag: 'Buyer', note: 'Looking for 3 bedrooms near a school.' },
    { tag: 'Seller', note: 'Wants a valuation.' },
    { tag: 'Showing', note: 'Saturday showing booked.' },
  ],
  dialogs: [
    [
      '> Blue Mesa Realty, how can I help?',
      '< I saw the house on Juniper Lane online. Is it still for sale?',
      '> It is. I have a showing open on Saturday at eleven.',
      '< Saturday at eleven is great.',
    ],
  ],
  voicemails: [
    'Hello, this is Priya Patel. I would like a valuation of our home in Gilbert. My number is on your screen. Thank you.',
  ],
  tags: ['Buyer', 'Seller', 'Showing'],
};
