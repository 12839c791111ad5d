/**
 * Whether numbers must be registered before they may text. The company's own setting decides
 * (`texting_requires_verification`); if unset, real carriers require it and the sandbox does not.
 */
export function isRegistrationRequired(settings: unknown, simulated: boolean): boolean {
  const setting = (settings as Record<string, unknown> | null | undefined)?.[
    'texting_requires_verification'
  ];
  return typeof setting === 'boolean' ? setting : !simulated;
}

/**
 * Whether this number may text as far as its registration goes. `asked`: the company's setting,
 * null if never set. `providerRef`: the carrier's id of the number, which identifies sandbox
 * numbers.
 */
export function isVerified(n: {
  status: string;
  providerRef: string | null;
  requiredByCompany: boolean | null;
}): boolean {
  if (n.requiredByCompany === false || n.status === 'approved') return true;
  const isSimulated = /^(sb|sandbox)-/.test(n.providerRef ?? '');
  return n.requiredByCompany === null && (isSimulated || n.status === 'not_required');
}
