/** The operator's app at a provider. */
export interface SignInApp {
  clientId: string;
  clientSecret: string;
}

/**
 * Reads two variables that belong together. Null: neither is set, so nobody signs in that way. One
 * without the other is reported as a problem.
 */
export function signInApp(
  read: (name: 'id' | 'secret') => string | undefined,
  names: { id: string; secret: string },
  problem: (sentence: string) => void,
): SignInApp | null {
  const [clientId, clientSecret] = [read('id'), read('secret')];
  if ((clientId === undefined) !== (clientSecret === undefined))
    problem(`${names.id} and ${names.secret} belong together. Set both, or neither`);
  return clientId && clientSecret ? { clientId, clientSecret } : null;
}
