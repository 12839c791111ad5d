/**
 * Must a number be registered before it may text? The company's own switch decides (`texting_requires_verification`); without
 * one real carriers ask for it and the sandbox does not.
 */
export function isRegistrationRequired(settings: unknown, simulated: boolean): boolean {
  const setting = (settings as Record<string, unknown> | null | undefined)?.[
    'texting_requires_verification'
  ];
  return typeof setting === 'boolean' ? setting : !simulated;
}

/**
 * May this number text as far as its registration goes? `asked`: the company's switch; null when it was never turned.
 * `providerRef`: the carrier's name of it, by which a number of the sandbox is known.
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
