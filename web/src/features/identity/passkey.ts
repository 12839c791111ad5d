/** Whether this browser can use passkeys: on https pages and localhost, not at an IP address. */
export const canUsePasskeys = (): boolean =>
  typeof PublicKeyCredential !== 'undefined' && !/^[\d.]+$|:/.test(window.location.hostname);

type Options = Record<string, unknown>;
/** What the browser returned for the API, as JSON. */
type Credential = { id: string; [key: string]: unknown };

const load = () => import('@simplewebauthn/browser');

/** Lets the person use a passkey. Null: they canceled, or have none here. */
export async function askPasskey(optionsJSON: Options): Promise<Credential | null> {
  const { startAuthentication } = await load();
  return startAuthentication({ optionsJSON: optionsJSON as never }).then(asJson, () => null);
}

/** Lets the person create a passkey. Null: they canceled, or this device has one already. */
export async function createPasskeyHere(optionsJSON: Options): Promise<Credential | null> {
  const { startRegistration } = await load();
  return startRegistration({ optionsJSON: optionsJSON as never }).then(asJson, () => null);
}

const asJson = (value: object): Credential => ({ ...(value as Credential) });
