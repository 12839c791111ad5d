import type { Job } from '../platform/jobs.ts';
import type { Settings } from '../platform/settings.ts';
import type { Adapter, GatewayName } from './adapter.ts';
import { adf } from './adf/adapter.ts';
import { apns } from './apns/adapter.ts';
import { bandwidth } from './bandwidth/adapter.ts';
import { installedChromium } from './browser/adapter.ts';
import { publicDns } from './dns/adapter.ts';
import { espeak } from './speech-espeak/adapter.ts';
import { ga4 } from './ga4/adapter.ts';
import { gohighlevel } from './gohighlevel/adapter.ts';
import { googleads } from './googleads/adapter.ts';
import { hubspot } from './hubspot/adapter.ts';
import { metaads } from './metaads/adapter.ts';
import { microsoftads } from './microsoftads/adapter.ts';
import { localTranscription } from './transcription-local/adapter.ts';
import { openAiTranscription } from './transcription-openai/adapter.ts';
import { openAiLanguageModel } from './language-model-openai/adapter.ts';
import { sandboxLanguageModel } from './language-model-sandbox/adapter.ts';
import { mailOutbox } from './mail-outbox/adapter.ts';
import { publicLogSinks } from './log-sinks/adapter.ts';
import { publicOutbound } from './outbound/adapter.ts';
import { publicPages } from './pages/adapter.ts';
import { sandboxPayments } from './payments-sandbox/adapter.ts';
import { maxio } from './payments-maxio/adapter.ts';
import { stripe } from './payments-stripe/adapter.ts';
import { salesforce } from './salesforce/adapter.ts';
import { slackbot } from './slackbot/adapter.ts';
import { sandboxOAuthProviders } from './oauth-sandbox/adapter.ts';
import { s3 } from './s3/adapter.ts';
import { s3Backups } from './s3-backups/adapter.ts';
import { sandbox } from './sandbox/adapter.ts';
import { sandboxTranscription } from './transcription-sandbox/adapter.ts';
import { smtp } from './mail-smtp/adapter.ts';
import { appleIdTokens } from './id-tokens-apple/adapter.ts';
import { googleIdTokens } from './id-tokens-google/adapter.ts';
import { sandboxIdTokens } from './id-tokens-sandbox/adapter.ts';
import { googleSignIn } from './sign-in-google/adapter.ts';
import { microsoftSignIn } from './sign-in-microsoft/adapter.ts';
import { openIdSignIn } from './sign-in-openid/adapter.ts';
import { organizationSignIn } from './sign-in-organizations/adapter.ts';
import { somos } from './somos/adapter.ts';
import { tlsProxy } from './tls-proxy/adapter.ts';
import { telnyx } from './fax-telnyx/adapter.ts';
import { trestle } from './trestle/adapter.ts';
import { trustCall } from './trustcall/adapter.ts';
import { twilio } from './twilio/adapter.ts';
import { webhooks } from './webhooks/adapter.ts';
import { webPushAdapter } from './web-push/adapter.ts';

/**
 * Every adapter, in the order of the settings table. Of several that implement the same gateway, the
 * first usable one is used: stand-ins come after the third party they stand in for.
 */
export const adapters: readonly Adapter[] = [
  s3,
  s3Backups,
  smtp,
  twilio,
  bandwidth,
  somos,
  telnyx,
  trestle,
  trustCall,
  openAiTranscription,
  localTranscription,
  openAiLanguageModel,
  hubspot,
  googleads,
  metaads,
  microsoftads,
  salesforce,
  gohighlevel,
  adf,
  ga4,
  webhooks,
  slackbot,
  googleSignIn,
  microsoftSignIn,
  openIdSignIn,
  organizationSignIn,
  googleIdTokens,
  appleIdTokens,
  apns,
  webPushAdapter,
  espeak,
  sandbox,
  sandboxTranscription,
  sandboxLanguageModel,
  stripe,
  maxio,
  sandboxPayments,
  sandboxOAuthProviders,
  sandboxIdTokens,
  publicPages,
  installedChromium,
  publicLogSinks,
  publicOutbound,
  publicDns,
  tlsProxy,
  mailOutbox,
];

/** Whether an adapter's settings are there, if it needs any. */
const isConfigured = (adapter: Adapter, settings: Settings): boolean =>
  !adapter.settings || adapter.settings.of(settings) !== null;

/** The adapters that implement a gateway and can be used with these settings, in order. */
export const adaptersFor = (
  gateway: GatewayName | 'blobs' | 'backups',
  settings: Settings,
): Adapter[] =>
  adapters.filter(
    (adapter) =>
      adapter.gateways[gateway] &&
      isConfigured(adapter, settings) &&
      (gateway === 'blobs' ||
        gateway === 'backups' ||
        (adapter.when?.[gateway]?.(settings) ?? true)),
  );

/** The adapter of this name; throws when there is none, which `readSettings` rules out. */
export function adapterNamed(name: string): Adapter {
  const adapter = adapters.find((one) => one.name === name);
  if (!adapter) throw new Error(`There is no adapter named ${name}.`);
  return adapter;
}

/** The jobs of all adapters, used or not: what an earlier installation has queued is still done. */
export const adapterJobs = async (): Promise<Job[]> =>
  (await Promise.all(adapters.map(({ jobs }) => jobs?.() ?? []))).flat();
