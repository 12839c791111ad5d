/** Settings that decide who gets in. A change of one is confirmed by the person who makes it. */
export const accessSettings: readonly string[] = [
  'allowed_ip_ranges',
  'require_mfa',
  'session_idle_minutes',
];

/** Whether one of them is among these values; null restores what is inherited. */
export const changesAccess = (values: Readonly<Record<string, unknown>>): boolean =>
  accessSettings.some((key) => values[key] !== undefined);
