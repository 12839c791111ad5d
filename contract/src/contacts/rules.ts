/**
 * Text without invisible characters: zero-width characters, direction marks, and control characters
 * except tabs and line ends. Joiners are kept between characters (emoji and some scripts need
 * them), not at an end.
 */
export const visibleText = (text: string): string =>
  text
    .replace(
      /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]|[^\P{Cc}\t\n\r]/gu,
      '',
    )
    .replace(/^[\s\u200c\u200d]+|[\s\u200c\u200d]+$/gu, '');

export const genders = ['Male', 'Female', 'Other'] as const;

/** 1-5, then steps of five up to 61-65, then 65+ (A §3). */
export const ageRanges = [
  ...Array.from({ length: 13 }, (_, i) => `${i * 5 + 1}-${i * 5 + 5}`),
  '65+',
];

export const contactTypes = ['Person', 'Business', 'Other'] as const;

/** CRMs whose names come back into contacts. */
export const crmNames = ['hubspot', 'salesforce'] as const;
export type CrmName = (typeof crmNames)[number];

export const contactSources = ['Manual', 'Import', 'keyword', 'Migration'] as const;

export const optinTypes = [
  'text_to_join',
  'point_of_sale',
  'web_form',
  'paper',
  'verbal',
  'import',
  'other',
] as const;

export const optinNames: Record<(typeof optinTypes)[number], string> = {
  text_to_join: 'Text to join',
  point_of_sale: 'Point of sale',
  web_form: 'Web form',
  paper: 'Paper',
  verbal: 'Verbal',
  import: 'Import',
  other: 'Other',
};

/**
 * A contact has exactly one state: invalid, else unsubscribed, else active. So activeCount =
 * contactCount − invalid − unsubscriber (A11).
 */
export const contactStates = ['active', 'unsubscribed', 'invalid'] as const;

export const contactSorts = ['addedAt', 'name'] as const;

export const systemGroups = ['all', 'unsubscribed', 'invalid', 'recent_callers'] as const;

/** A bulk action on more contacts runs as a job. */
export const maxBulkAtOnce = 1000;

/** Days in which a deleted contact or group can be restored and a merge undone. */
export const undoDays = 30;

export type RuleKind = 'text' | 'choice' | 'flag' | 'date' | 'member' | 'number';

/** Fields that the rule of a virtual group can test; custom fields are `custom:<attribute id>`. */
export const ruleFields: Readonly<
  Record<string, { label: string; kind: RuleKind; choices?: readonly string[] }>
> = {
  name: { label: 'Name', kind: 'text' },
  number: { label: 'Number', kind: 'text' },
  areaCode: { label: 'Area code', kind: 'text' },
  email: { label: 'Email', kind: 'text' },
  companyName: { label: 'Company', kind: 'text' },
  title: { label: 'Title', kind: 'text' },
  city: { label: 'City', kind: 'text' },
  state: { label: 'State', kind: 'text' },
  zip: { label: 'ZIP', kind: 'text' },
  country: { label: 'Country', kind: 'text' },
  notes: { label: 'Notes', kind: 'text' },
  group: { label: 'Group', kind: 'member' },
  label: { label: 'Label', kind: 'member' },
  type: { label: 'Type', kind: 'choice', choices: contactTypes },
  source: { label: 'Source', kind: 'choice', choices: contactSources },
  gender: { label: 'Gender', kind: 'choice', choices: genders },
  ageRange: { label: 'Age', kind: 'choice', choices: ageRanges },
  optinType: { label: 'Opt-in', kind: 'choice', choices: optinTypes },
  unsubscribed: { label: 'Unsubscribed', kind: 'flag' },
  invalid: { label: 'Invalid', kind: 'flag' },
  addedAt: { label: 'Added', kind: 'date' },
  updatedAt: { label: 'Changed', kind: 'date' },
  lastCalledAt: { label: 'Last called us', kind: 'date' },
  lastTextedAt: { label: 'Last texted us', kind: 'date' },
};

/** Operators per kind of field, with their labels. `empty` and `filled` take no value. */
export const ruleOps: Readonly<Record<RuleKind, Readonly<Record<string, string>>>> = {
  text: {
    is: 'is',
    is_not: 'is not',
    contains: 'contains',
    not_contains: 'does not contain',
    starts_with: 'starts with',
    empty: 'is empty',
    filled: 'is filled',
  },
  choice: { is: 'is', is_not: 'is not', in: 'is one of', empty: 'is not set', filled: 'is set' },
  flag: { is: 'is' },
  date: {
    within_days: 'within the last days',
    not_within_days: 'not within the last days',
    before: 'before',
    after: 'after',
    empty: 'never',
    filled: 'ever',
  },
  member: { has: 'has', has_not: 'has not' },
  number: {
    is: 'is',
    is_not: 'is not',
    above: 'is above',
    below: 'is below',
    empty: 'is empty',
    filled: 'is filled',
  },
};

/** Whether a filter operator needs a value: all but `empty` and `filled` do. */
export const takesValue = (op: string): boolean => op !== 'empty' && op !== 'filled';

/** The rule kind of each custom field type. */
export const kindOfAttribute: Readonly<Record<string, RuleKind>> = {
  boolean: 'flag',
  date: 'date',
  enum: 'choice',
  number: 'number',
  phone: 'text',
  stringText: 'text',
  stringKeyword: 'text',
};

/**
 * Fields of a merge. Without a choice the surviving contact's value is kept, unless it is empty.
 */
export const mergeFields = {
  name: 'Name',
  number: 'Number',
  email: 'Email',
  companyName: 'Company',
  title: 'Title',
  address1: 'Address',
  address2: 'Address 2',
  city: 'City',
  state: 'State',
  zip: 'ZIP',
  country: 'Country',
  notes: 'Notes',
  optinType: 'Opt-in',
  optinSource: 'Opt-in source',
  gender: 'Gender',
  ageRange: 'Age',
  type: 'Type',
} as const;

export type MergeField = keyof typeof mergeFields;
