export type OidcLibrary = typeof import('oidc-provider');

/**
 * oidc-provider, loaded when a program first asks for access. It warns at its import that it wants a
 * newer Node; ours is the one that its tests here run on, so that would only alarm operators.
 */
export async function loadOidcProvider(): Promise<OidcLibrary> {
  const { warn } = console;
  console.warn = () => {};
  try {
    return await import('oidc-provider');
  } finally {
    console.warn = warn;
  }
}
