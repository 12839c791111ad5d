/** What all advertising platforms share: a call is one conversion of a place that counts it. */
import type { DeliveryRule } from '#contract/integrations/schemas';
import type { AdClick, DeliveryFacts, Speech, StepsVerdict } from '../../gateways/destination.ts';
import type { OutboundAnswer, OutboundRequest } from '../../gateways/outbound.ts';

/** What a platform is told of a call. */
export interface Conversion {
  /** What counts it there, such as a pixel or a conversion action. */
  place: string;
  /** Null: no value is sent. Cents of US dollars. */
  valueCents: number | null;
  /** Null: the person is found by what else is sent. */
  click: AdClick | null;
  /** How often it was taken back for good before. */
  generation: number;
}

/** How one platform is spoken to. Everything is pure. */
export interface Platform<Config> {
  label: string;
  /** Names of the parameters by which it names clicks. */
  clickIds(config: Config): readonly string[];
  /** What counts the conversions of a rule. Null: nothing was chosen. */
  placeOf(rule: DeliveryRule, config: Config): string | null;
  /** Units of the currency that the place counts instead of what the rule says; left out: never. */
  fixedValue?(rule: DeliveryRule, config: Config): number | null;
  /** Whether a person is found there without a click. */
  knowsWithoutClick(facts: DeliveryFacts, config: Config): boolean;
  /** Why it takes no such call (any more), as people read it. Null: it does. */
  refuses?(facts: DeliveryFacts, now: Date): string | null;
  /** Tells it of a call, or once more what it may have been told. */
  upload(conversion: Conversion, speech: Speech<Config>): OutboundRequest;
  /** Changes the value of what it counted; left out, or null: it can't. */
  restate?(conversion: Conversion, speech: Speech<Config>): OutboundRequest | null;
  /** Takes back what it counted; left out, or null: it can't. */
  takeBack?(conversion: Conversion, speech: Speech<Config>): OutboundRequest | null;
  /** What it took back it never counts again: a call that counts once more is a new conversion. */
  takesBackForGood?: true;
  /** Asks whether it would take a conversion, without counting it; left out: it can't be asked. */
  validate?(conversion: Conversion, speech: Speech<Config>): OutboundRequest;
  read(answer: OutboundAnswer): StepsVerdict;
  /** Of a platform that looks at what it took later: how it is asked about that, and what it means. */
  later?: {
    /** How it names the request; undefined: it doesn't. */
    receiptOf(answer: OutboundAnswer): string | undefined;
    ask(receipt: string): OutboundRequest;
    read(answer: OutboundAnswer): StepsVerdict;
  };
  /** How a platform that took it would answer, to show what would be sent. */
  pretend(request: OutboundRequest): OutboundAnswer;
}

/** A configuration with its rules, of which the first that asks decides. */
export type WithRules = { rules: readonly DeliveryRule[] };
