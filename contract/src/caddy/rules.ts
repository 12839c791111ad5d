/** How a person is known in Caddy. */
export const caddyProviders = ['email', 'phone', 'google', 'apple'] as const;
export type CaddyProvider = (typeof caddyProviders)[number];
/** Those who vouch for people, by a signed ID token. */
export const identityProviders = ['google', 'apple'] as const;
export type IdentityProviderName = (typeof identityProviders)[number];
/** Where codes are sent. */
export const codeChannels = ['email', 'phone'] as const;
export type CodeChannel = (typeof codeChannels)[number];

/** Who the demo's individual signs in as. */
export const demoCustomer = 'customer@demo.test';

/** The languages that the app has, each with the dates and times of a country. */
export const caddyLocales = ['en-US', 'en-CA', 'en-GB'] as const;
export type CaddyLocale = (typeof caddyLocales)[number];

/** Seconds that a code works. */
export const codeSeconds = 600;
/** Seconds after which a person is offered another code. */
export const resendSeconds = 30;
/** Seconds from the start of a sign-in through a provider until its token is used at the latest. */
export const providerVisitSeconds = 1200;
/** Wrong tries of one code. */
export const codeTries = 5;
/** What one address or phone, one device and one network is sent (A26). */
export const codeLimits = {
  targetPerHour: 5,
  devicePerDay: 10,
  networkPerHour: 30,
} as const;

/** What a person can be told of, each on unless they turn it off. */
export const caddyNotices = ['texts', 'calls', 'voicemails', 'account'] as const;

/** What someone has without a plan of the catalogue. A placeholder, as the prices are. */
export const freePlan = { numbers: 1, voice_minutes: 60, text_credits: 30 } as const;
/** Exchanges of a number within `replaceDays` (A26). */
export const replacements = { free: 1, paid: 3 } as const;
export const replaceDays = 30;
/** How long a number that was stopped can be restored. */
export const removalDays = 30;

export const catalogCategories = ['local', 'toll-free'] as const;
export const numberTiers = ['free', 'plus'] as const;
/** Numbers on a page of the catalogue, and how many pages there are. */
export const catalogPageSize = 20;
export const catalogPages = 5;
export const maxIds = 100;

/** Numbers that are easy to remember or toll-free come with a paid plan. */
export const tierOf = (number: string, isTollFree: boolean): (typeof numberTiers)[number] =>
  isTollFree || /(\d)\1\1\1?$/.test(number) || /(\d\d)\1$/.test(number) ? 'plus' : 'free';

export const invitationStates = ['sent', 'joined', 'rewarded', 'expired'] as const;
/** A26; an invitation that no one took for `againDays` has expired. */
export const invitationLimits = { perDay: 20, againDays: 30, rewards: 10 } as const;
/** What each person who came and took a number adds to every period of who invited them. */
export const invitationReward = { minutes: 20, texts: 20 } as const;

export const stores = ['apple', 'google', 'web'] as const;
/** From this rating on, the person is asked to review in the store; below, what went wrong. */
export const storeRating = 4;

export const inactivityStates = ['active', 'warned', 'scheduled'] as const;
/** Days without a call, a text or an opening of the app, without a plan. */
export const inactivity = { warnDays: 21, removalDays: 30, scheduledDays: 7 } as const;
/** Days until a deleted account is erased. */
export const graceDays = 30;

export const supportFileBytes = 10 * 1024 * 1024;
export const reportCategories = [
  'calls',
  'texts',
  'numbers',
  'billing',
  'account',
  'other',
] as const;
