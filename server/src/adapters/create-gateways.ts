import type { Carrier } from '../gateways/carrier.ts';
import { noFaxCarrier, type FaxCarrier } from '../gateways/fax.ts';
import type { Gateways } from '../gateways/index.ts';
import type { CrmReaders } from '../gateways/crm-reader.ts';
import type { Destinations } from '../gateways/destination.ts';
import type { IdTokenProviders } from '../gateways/id-tokens.ts';
import type { OAuthProviders } from '../gateways/oauth.ts';
import type { Lookups } from '../gateways/lookup.ts';
import type { IdentityProviders } from '../gateways/sign-in.ts';
import type { PushGateway } from '../gateways/push.ts';
import type { BlobStore } from '../platform/files.ts';
import { mustBe } from '../platform/must-be.ts';
import type { Settings } from '../platform/settings.ts';
import type { AdapterGateways, GatewayFactories, GatewayName, GatewayServices } from './adapter.ts';
import { combinedInventory, connectCarriers } from './carriers.ts';
import { adapterNamed, adapters, adaptersFor } from './registry.ts';
import { vapidKeys } from './web-push/push.ts';

/** Where files are stored apart from this machine; null: nowhere. */
export const createBlobs = async (settings: Settings): Promise<BlobStore | null> =>
  (await adaptersFor('blobs', settings)[0]?.gateways.blobs?.(settings)) ?? null;

/**
 * Creates every gateway from the adapters that the settings choose. Throws when a chosen adapter can
 * not be created.
 * @param replaced used instead; the voice, messaging and numbers of a test replace those of the
 * first carrier as well
 */
export async function createGateways(
  services: GatewayServices,
  replaced: Partial<Gateways> = {},
): Promise<{ gateways: Gateways; close(): Promise<void> }> {
  const { settings } = services;
  const connected = await Promise.all(
    settings.carriers.map((name) => createNamed('carrier', name, services)),
  );
  const [first, ...others] = connected;
  if (!first) throw new Error('CARRIER names no carrier.');
  const exchange = settings.simulated ? null : await createFirst('exchange', services);
  const carriers = connectCarriers([withReplaced(first, replaced), ...others], exchange);
  const gateways: Gateways = {
    carriers,
    // Every carrier but a registry has both, and a registry is never the first.
    voice: mustBe(carriers.primary.voice, 'voice of the first carrier'),
    messaging: mustBe(carriers.primary.messaging, 'messaging of the first carrier'),
    numbers: combinedInventory(carriers),
    fax: await createFax(services),
    push: await createPush(services),
    oauth: await createOAuthProviders(services),
    oauthVariables: oauthVariables(),
    signIn: await createIdentityProviders(services),
    ownProviders: await createOnly('ownProviders', services),
    idTokens: await createIdTokenProviders(services),
    mail: await createOnly('mail', services),
    speech: await createOnly('speech', services),
    transcription: await createOnly('transcription', services),
    languageModel: await createFirst('languageModel', services),
    callerIdentity: await createOnly('callerIdentity', services),
    numberReputation: await createFirst('numberReputation', services),
    pages: await createOnly('pages', services),
    browser: await createFirst('browser', services),
    logSinks: await createOnly('logSinks', services),
    destinations: await createDestinations(services),
    lookups: await createLookups(services),
    crmReaders: await createCrmReaders(services),
    outbound: await createOnly('outbound', services),
    dns: await createOnly('dns', services),
    certificates: await createOnly('certificates', services),
    payments: await createFirst('payments', services),
    ...replaced,
  };
  const close = async () => {
    await exchange?.close();
    for (const carrier of connected) await carrier.close?.();
  };
  return { gateways, close };
}

async function createNamed<G extends GatewayName>(
  gateway: G,
  name: string,
  services: GatewayServices,
): Promise<AdapterGateways[G]> {
  const factories: GatewayFactories = adapterNamed(name).gateways;
  const create = factories[gateway];
  if (!create) throw new Error(`The adapter ${name} implements no ${gateway}.`);
  return create(services);
}

/** By the first usable adapter; null when there is none. */
async function createFirst<G extends GatewayName>(
  gateway: G,
  services: GatewayServices,
): Promise<AdapterGateways[G] | null> {
  const [adapter] = adaptersFor(gateway, services.settings);
  return adapter ? createNamed(gateway, adapter.name, services) : null;
}

/** As `createFirst`. Throws when there is none. */
async function createOnly<G extends GatewayName>(
  gateway: G,
  services: GatewayServices,
): Promise<AdapterGateways[G]> {
  const created = await createFirst(gateway, services);
  if (created === null) throw new Error(`No adapter implements ${gateway}.`);
  return created;
}

const createFax = async (services: GatewayServices): Promise<FaxCarrier> =>
  services.settings.faxCarrier === 'none'
    ? noFaxCarrier
    : createNamed('fax', services.settings.faxCarrier, services);

/** One gateway for all kinds of devices, or the stand-in that only stores notifications. */
async function createPush(services: GatewayServices): Promise<PushGateway> {
  const standIn = await createFirst('push', services);
  if (standIn) return standIn;
  const senders = await Promise.all(
    adapters
      .filter(({ gateways }) => gateways.pushSender)
      .map(({ name }) => createNamed('pushSender', name, services)),
  );
  return {
    name: 'real',
    publicKey: vapidKeys(services.settings.appSecret).publicKey,
    send: async (target, note) =>
      senders.find(({ kind }) => kind === target.kind)?.send(target, note) ?? {
        state: 'refused',
        reason: `Nothing sends to ${target.kind}.`,
      },
  };
}

/** The third parties that companies can connect: those whose client ID and secret are set. */
async function createOAuthProviders(services: GatewayServices): Promise<OAuthProviders> {
  const providers = await Promise.all(
    adaptersFor('oauth', services.settings).map(({ name }) => createNamed('oauth', name, services)),
  );
  return firstOfEachName(providers.flat());
}

/** By name, in their order. Stand-ins come after those they stand in for. */
function firstOfEachName<P extends { name: string }>(providers: readonly P[]): Map<string, P> {
  const byName = new Map<string, P>();
  for (const provider of providers)
    if (!byName.has(provider.name)) byName.set(provider.name, provider);
  return byName;
}

/** Those whose ID tokens individuals sign in with: whose client IDs are set. */
async function createIdTokenProviders(services: GatewayServices): Promise<IdTokenProviders> {
  const providers = await Promise.all(
    adaptersFor('idTokens', services.settings).map(({ name }) =>
      createNamed('idTokens', name, services),
    ),
  );
  return firstOfEachName(providers.flat());
}

/** What an operator sets so that companies can connect a provider, by the provider's name. */
const oauthVariables = (): ReadonlyMap<string, readonly string[]> =>
  new Map(
    adapters
      .filter(({ gateways, settings }) => gateways.oauth && settings)
      .map(({ name, settings }) => [
        name,
        Object.entries(settings?.variables ?? {})
          .filter(([, variable]) => !variable.internal)
          .map(([variable]) => variable),
      ]),
  );

/** The kinds of places that deliveries go to, by name. */
async function createDestinations(services: GatewayServices): Promise<Destinations> {
  const kinds = await Promise.all(
    adaptersFor('destination', services.settings).map(({ name }) =>
      createNamed('destination', name, services),
    ),
  );
  return new Map(kinds.map((kind) => [kind.name, kind]));
}

/** The lists of connected accounts; a stand-in's come after those it stands in for. */
async function createLookups(services: GatewayServices): Promise<Lookups> {
  const all = await Promise.all(
    adaptersFor('lookups', services.settings).map(({ name }) =>
      createNamed('lookups', name, services),
    ),
  );
  return all.flat();
}

/** CRMs that something comes back from, by their providers. */
async function createCrmReaders(services: GatewayServices): Promise<CrmReaders> {
  const readers = await Promise.all(
    adaptersFor('crmReader', services.settings).map(({ name }) =>
      createNamed('crmReader', name, services),
    ),
  );
  return new Map(readers.map((reader) => [reader.provider, reader]));
}

/** Those through whom people sign in: whose client ID and secret are set. */
async function createIdentityProviders(services: GatewayServices): Promise<IdentityProviders> {
  const providers = await Promise.all(
    adaptersFor('signIn', services.settings).map(({ name }) =>
      createNamed('signIn', name, services),
    ),
  );
  return new Map(providers.map((provider) => [provider.name, provider]));
}

function withReplaced(carrier: Carrier, replaced: Partial<Gateways>): Carrier {
  const { voice = carrier.voice, messaging = carrier.messaging } = replaced;
  return { ...carrier, voice, messaging, numbers: replaced.numbers ?? carrier.numbers };
}
