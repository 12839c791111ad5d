import type { z } from 'zod';
import type { DeliveryRule } from '#contract/integrations/schemas';
import type { DeliveryEvent } from '#contract/integrations/rules';
import type { OutboundAnswer, OutboundRequest } from './outbound.ts';

/** Everything known of a call, a text or a form that is delivered. */
export interface DeliveryFacts {
  event: DeliveryEvent;
  /** What it is about. A text or form is an item of its conversation. */
  subject: { type: 'call' | 'item'; id: number };
  happenedAt: Date;
  company: { id: number; name: string; timezone: string };
  number: { id: number; number: string; label: string; poolId: number | null };
  /** The other party: E.164, a short code or sender name, or `anonymous`. */
  party: string;
  outbound: boolean;
  contact: DeliveryContact | null;
  /** What the network said the caller is called. */
  callerName: string | null;
  outcome: 'answered' | 'missed' | 'voicemail' | null;
  answeredBy: string | null;
  /** ID of the person who answered; null: no one did, or it was forwarded outside. */
  answeredById: number | null;
  /** Seconds, ringing included. */
  durationSeconds: number;
  talkSeconds: number;
  firstContact: boolean;
  qualified: boolean;
  lead: boolean;
  isSpam: boolean;
  outcomeTags: readonly string[];
  department: string;
  valueCents: number | null;
  source: {
    key: string | null;
    label: string | null;
    medium: string | null;
    campaign: string | null;
    keyword: string | null;
    landingUrl: string | null;
  } | null;
  /** Which ad of the campaign; null: not known. */
  adContent: string | null;
  /** Cookies of the website that were captured at the visit behind it, by name. */
  cookies: Readonly<Record<string, string>>;
  /** Clicks on ads on the way to it, those with the most credit first. */
  clicks: readonly AdClick[];
  summary: string | null;
  transcript: string | null;
  /** The words of a text or voicemail. */
  text: string | null;
  hasRecording: boolean;
  customFields: readonly { name: string; value: string }[];
  form: { name: string; fields: readonly { name: string; value: string }[] } | null;
  conversationId: number | null;
  /** Where people see it in the app. */
  link: string;
  /** The company hides contact details from some of its people. */
  masksDetails: boolean;
}
/** A click on an ad that led to a visit of the website. */
export interface AdClick {
  at: Date;
  /** What the ad’s platform calls the click, by the name of the parameter, such as `gclid`. */
  ids: Readonly<Record<string, string>>;
  /** Cookies of the website that were captured at its visit, by name. */
  cookies: Readonly<Record<string, string>>;
  /** What the company’s attribution model gives it of the call, of 10,000. */
  basisPoints: number;
}
export interface DeliveryContact {
  id: number;
  name: string;
  companyName: string;
  email: string;
  street: string;
  city: string;
  state: string;
  zip: string;
  country: string;
}

/** Deliveries about the same person, as the provider groups them. */
interface DeliveryThread {
  /** 1 for the first. */
  no: number;
  /** What the first one was about. */
  rootId: number;
  /** How the receiver named the first one; null: it has not. */
  rootRef: string | null;
}

/** What a provider is told to speak with. */
export interface Speech<Config> {
  facts: DeliveryFacts;
  config: Config;
  /** As `secret` parsed it; null: none. Left out of what is logged. */
  secret: string | null;
  rule: DeliveryRule;
  thread: DeliveryThread;
  /** The platform's name, as receivers see it. */
  platform: string;
  now: Date;
  /** Names the delivery to its receiver, the same at each try. */
  id: string;
  /** Whether a person tries the receiver with made-up facts. */
  isTest: boolean;
  /** What the receiver calls what `records` names, as far as it was said before. */
  known: Readonly<Record<string, string>>;
  /** Whether a try before this one didn't end well, and its requests may have been taken. */
  isRetry: boolean;
}

/** Something in a connected account that is delivered to, such as a channel. */
interface Place {
  /** The provider’s ID of it. */
  key: string;
  name: string;
  /** As `config` of its destination parses it. */
  config: object;
  rules: readonly DeliveryRule[];
}

/**
 * A request of several, each made from the answers before it. `remember`: what the receiver calls
 * things, by the names of `records`, stored before it is sent.
 */
export interface Step {
  request: OutboundRequest;
  remember?: Readonly<Record<string, string>>;
}
/** Yields requests, is given their answers, and returns what they come to. Pure. */
export type Steps = Generator<Step, StepsVerdict, OutboundAnswer>;
/** `shown`: of the last answer what the log can show; left out: nothing of it. */
export type StepsVerdict = Verdict & {
  remember?: Readonly<Record<string, string>>;
  shown?: string;
};

/** Something new in a company that isn’t about a call or a text, such as an alert. */
export interface News {
  title: string;
  /** What it says, a sentence each. */
  lines: readonly string[];
  link: { url: string; text: string };
}

/** How something is told to a receiver. */
export type Outgoing =
  | { via: 'https'; request: OutboundRequest }
  | {
      via: 'steps';
      steps(): Steps;
      /** How a receiver that knows nothing yet would answer, to show what would be sent. */
      pretend(request: OutboundRequest): OutboundAnswer;
    }
  | {
      via: 'mail';
      to: readonly string[];
      cc: readonly string[];
      subject: string;
      /** The whole body; no signature or brand is added. */
      text: string;
      attachments: readonly { name: string; contentType: string; text: string }[];
    };

/**
 * What an answer means. `refused`: trying again changes nothing. `skipped`: the configuration leaves it
 * out. `wait`: the receiver asked for time, which is no failed try.
 */
export type Verdict =
  | {
      state: 'sent';
      externalRef?: string;
      /** The receiver's ID of the person it is about, who was there before. */
      person?: string;
      /** What the receiver didn't take of it, and what to do about that. */
      warning?: string;
    }
  | { state: 'retry' | 'refused' | 'skipped'; error: string }
  | { state: 'wait'; seconds: number; error: string };

/**
 * A kind of place that deliveries go to. It says what to send; rules, queue, retries, health and log
 * are the engine's.
 */
export interface Destination<Config = unknown> {
  /** As stored, and as the API names it. Never changes. */
  readonly name: string;
  readonly label: string;
  /** The stored configuration. */
  readonly config: z.ZodType<Config>;
  readonly events: readonly DeliveryEvent[];
  /** What the company itself called or sent isn't told. */
  readonly inboundOnly: boolean;
  /** Who was in touch longer ago counts as a first contact; null: no one does. Days. */
  readonly firstContactDays: number | null;
  /** Beyond the rules: whether it takes this at all. Left out: whatever comes in. */
  accepts?(facts: DeliveryFacts, config: Config): boolean;
  /** Why it doesn’t accept something, as people read it. Null: it does, or it doesn’t say. */
  whyNot?(facts: DeliveryFacts, config: Config): string | null;
  /**
   * What it was told about a call is corrected or taken back as the call changes: the first delivery is
   * followed by others of the same rule. Left out: what was told stays.
   */
  readonly corrects?: true;
  /** Deliveries with one key are sent once. */
  dedupeKey(facts: DeliveryFacts): string;
  /** Whom it is about, to group deliveries within `days`. Left out: they aren't grouped. */
  readonly thread?: { days: number; key(facts: DeliveryFacts): string | null };
  /**
   * Deliveries with one key are sent one after another, in the order of their events. Left out: each is
   * sent when it can be.
   */
  orderKey?(facts: DeliveryFacts): string;
  /**
   * What the receiver gives names of its own to, such as a person, by a name and a key that is the same
   * each time. Left out: nothing is remembered.
   */
  records?(facts: DeliveryFacts): Readonly<Record<string, string>>;
  /**
   * A destination that took nothing for so many days is turned off. Left out: it stays on.
   */
  readonly offAfterDays?: number;
  /** The places that a connected account delivers to, as it is set. Left out: it needs no account. */
  readonly places?: (accountConfig: object) => readonly Place[];
  /** Whether an answer says that the account’s token isn’t taken; left out: status 401 does. */
  isUnauthorized?(answer: OutboundAnswer): boolean;
  /**
   * Nothing is sent before that moment, in the company's time zone. Null: it can be sent now. Left
   * out: always.
   */
  notBefore?(config: Config, now: Date, timezone: string): Date | null;
  /** What is sent. Pure. */
  say(speech: Speech<Config>): Outgoing;
  /**
   * A request by which the receiver says whether it would take something, and counts nothing. Left out: it
   * can't.
   */
  check?(speech: Speech<Config>): OutboundRequest;
  /** How the company’s news are told, where the configuration asks for them. Left out: they aren’t. */
  readonly news?: {
    isWanted(config: Config): boolean;
    say(config: Config, news: News): OutboundRequest;
  };
  /** What an answer means; left out: 2xx is taken, the rest is tried again or refused by status. */
  read?(answer: OutboundAnswer): Verdict;
}
export type Destinations = ReadonlyMap<string, Destination>;
