/** Sections of the settings screen, in order. */
const settingGroups = {
  company: 'Time and formats',
  hours: 'Hours',
  calls: 'Calls on new numbers',
  recording: 'Recording and voicemail',
  privacy: 'Transcript privacy',
  screening: 'Caller screening',
  texts: 'Texts',
  campaigns: 'Campaigns',
  tracking: 'Attribution',
  permissions: 'User permissions',
  security: 'Security',
  retention: 'Retention and exports',
  notifications: 'Notifications',
  alerts: 'Alerts',
  billing: 'Spending',
} as const;
type SettingGroup = keyof typeof settingGroups;

/** Where a value can be set; a narrower scope wins over a wider one. */
export const settingScopes = ['system', 'organization', 'company'] as const;
export type SettingScope = (typeof settingScopes)[number];

type SettingType =
  | 'boolean'
  | 'number'
  | 'choice'
  | 'text'
  | 'zone'
  | 'schedule'
  | 'quiet_hours'
  | 'auto_text'
  | 'networks'
  | 'channels'
  | 'qualified_rule'
  | 'summary_email';

/** One row of the catalogue (A20). */
export interface SettingRule<Value = unknown> {
  group: SettingGroup;
  label: string;
  help: string;
  type: SettingType;
  default: Value;
  /** Values and labels of a choice. */
  options?: readonly { value: string; label: string }[];
  /** Bounds of a number, or of a text's length. */
  min?: number;
  max?: number;
  /** Unit behind a number, such as `days`. */
  unit?: string;
  scopes: readonly SettingScope[];
  /** The least role that may change it in a company. */
  role: 'administrator';
  /** What it changes isn't built yet: neither shown nor accepted. */
  upcoming?: true;
}

type More = Partial<Pick<SettingRule, 'scopes' | 'upcoming' | 'unit' | 'min' | 'max'>>;
const common = { scopes: settingScopes, role: 'administrator' } as const;

/** A switch. */
export const turned = (
  group: SettingGroup,
  initial: boolean,
  label: string,
  help = '',
  more: More = {},
): SettingRule<boolean> => ({
  ...common,
  group,
  label,
  help,
  type: 'boolean',
  default: initial,
  ...more,
});

/** A whole number within bounds, with its unit. */
export const counted = (
  group: SettingGroup,
  initial: number,
  [min, max]: readonly [number, number],
  unit: string,
  label: string,
  help = '',
  more: More = {},
): SettingRule<number> & { min: number; max: number } => ({
  ...common,
  group,
  label,
  help,
  type: 'number',
  default: initial,
  unit,
  ...more,
  min,
  max,
});

/** One of a few values. `options`: label by value. */
export const chosen = <const Option extends string>(
  group: SettingGroup,
  initial: NoInfer<Option>,
  options: Readonly<Record<Option, string>>,
  label: string,
  help = '',
  more: More = {},
): SettingRule<Option> => ({
  ...common,
  group,
  label,
  help,
  type: 'choice',
  default: initial,
  options: Object.entries<string>(options).map(([value, words]) => ({ value, label: words })),
  ...more,
});

/** A value of its own shape. */
export const shaped = <Value>(
  group: SettingGroup,
  type: SettingType,
  initial: Value,
  label: string,
  help = '',
  more: More = {},
): SettingRule<Value> => ({ ...common, group, label, help, type, default: initial, ...more });
