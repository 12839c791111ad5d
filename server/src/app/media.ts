import { lookup } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Exchange } from '../exchange/exchange.ts';
import * as calls from '../modules/calls/index.ts';
import type { Services } from '../platform/context.ts';
import { announceExchange } from '../platform/exchanges.ts';
import { findFile } from '../platform/files.ts';
import { createOutboxNotifier } from '../platform/outbox-relay.ts';
import { databaseUrlOf, webUrlOf } from '../platform/settings.ts';
import {
  addSipPhone,
  removeSipPhone,
  sipPhonesElsewhere,
  type SipPhone,
} from '../platform/sip-phones.ts';
import { addressOf } from '../platform/sip-trunk-token.ts';

/**
 * The media process: the media server for browsers, SIP phones and the sandbox's outside phones.
 */
export async function startMedia(services: Services) {
  const { settings, gateways, log } = services;
  const publicAddress = settings.sipPublic && (await resolvePublicHost(services));
  // Loaded only here: the other processes need neither WebRTC nor Opus.
  const { startExchange } = await import('../exchange/start-exchange.ts');
  return startExchange({
    port: settings.mediaPort,
    ...(settings.mediaUrl ? { host: '0.0.0.0', reachedAt: settings.mediaUrl } : {}),
    movePorts: settings.movePorts,
    avoidPort: settings.port,
    secret: settings.mediaSecret,
    publicWebUrl: () => webUrlOf(settings),
    filesDir: join(settings.dataDir, 'media'),
    speech: gateways.speech,
    // A file left over from trying faults has no say where no carrier is simulated.
    ...(settings.simulated && { faults: await simulatedFaults(settings) }),
    maxCalls: settings.mediaCalls,
    log: (message, detail) => log.info(detail ?? {}, message),
    ...(settings.sipPort && settings.exchange ? { sip: sipOptions(services, publicAddress) } : {}),
    ...(settings.rtpPorts ? { udpPorts: settings.rtpPorts } : {}),
    publicAddress: publicAddress ?? undefined,
    fetchFile: (name) => fetchPrompt(services, name),
    announce: announceIn(
      services,
      settings.sipPublic && publicAddress ? addressOf(settings.sipPublic) : null,
    ),
  });
}

/**
 * Writes the row by which web processes and workers find the exchange.
 * @param sip where carriers reach it, `host:port`; null: they don't
 */
export const announceIn =
  ({ db, settings, log }: Services, sip: string | null = null) =>
  (exchange: Exchange, url: string) =>
    announceExchange(
      { db, databaseUrl: databaseUrlOf(settings), log },
      { url, capacity: settings.mediaCalls, sip_address: sip },
      () => ({ calls: exchange.calls, load: exchange.load, draining: exchange.draining }),
      () => exchange.endAll('exchangeLost'),
    );

/** The faults that are set on the handset page, or by `PUT /sandbox/faults`. */
async function simulatedFaults({ dataDir }: Services['settings']) {
  const { currentFaults, shareFaultsIn } = await import('../adapters/sandbox/fault-injection.ts');
  shareFaultsIn(join(dataDir, 'trouble.json'));
  return currentFaults;
}

/** The IPv4 address of SIP_PUBLIC, because not every carrier resolves names in SDP; null: unknown. */
async function resolvePublicHost({ settings, log }: Services): Promise<string | null> {
  try {
    return (await lookup(settings.sipPublic?.host ?? '', { family: 4 })).address;
  } catch (error) {
    log.error({ err: error }, 'SIP_PUBLIC can’t be resolved, so carriers can’t reach our exchange');
    return null;
  }
}

/**
 * Opens the audio file of a prompt. A prompt names its file as `company:file`, so that an id alone
 * never opens another company's greeting.
 * Null: there is no such file.
 */
async function fetchPrompt({ db, files }: Services, name: string): Promise<Buffer | null> {
  const [companyId, fileId] = name.split(':').map(Number);
  if (!companyId || !fileId) return null;
  const row = await db.transaction({ companyId }, (tx) => findFile(tx, companyId, fileId));
  return row ? files.blobs.get(row.key) : null;
}

interface SipUser {
  companyId: number;
  userId: number;
  device: string;
}

/** SIP phones, and carriers' calls to browsers. The realm is the domain of every SIP address. */
export function sipOptions(services: Services, publicAddress: string | null) {
  const notifier = createOutboxNotifier(services.db);
  const { publicUrl, host, sipPort, sipPublic, sipTls } = services.settings;
  const realm = new URL(publicUrl).hostname;
  const isIpAddress = (name: string) => /^\d+\.\d+\.\d+\.\d+$/.test(name) && name !== '0.0.0.0';
  const ownAddress = isIpAddress(host) ? host : isIpAddress(realm) ? realm : '127.0.0.1';
  return {
    port: sipPort,
    host: publicAddress ?? ownAddress,
    realm,
    // The carriers' port listens on all interfaces, whatever the web process listens on.
    ...(publicAddress || host === '0.0.0.0' ? { bind: '0.0.0.0' } : {}),
    ...(sipTls
      ? { tls: { cert: readFileSync(sipTls.cert, 'utf8'), key: readFileSync(sipTls.key, 'utf8') } }
      : {}),
    ...(sipPublic && publicAddress
      ? {
          interconnects: {
            at: { ...sipPublic, address: publicAddress },
            admit: (token: string) => calls.admitSipLine(services, token),
          },
        }
      : {}),
    findUser: (user: string) => calls.sipLogin(services, user, realm),
    placeCall: (user: SipUser & { to: string; exchange: string | null }) =>
      calls.placeFromSip(services, notifier, user),
    peers: sipPeers(services),
    onPresence: (user: SipUser, isPresent: boolean) =>
      calls.sipPresent(services, notifier, user, isPresent),
    hold: (user: SipUser, leg: string, on: boolean) =>
      calls.holdFromSip(services, notifier, user, leg, on),
    transfer: (user: SipUser, leg: string, to: string) =>
      calls.transferFromSip(services, notifier, user, leg, to),
  };
}

/** What exchanges tell each other of SIP phones. */
const sipPeers = ({ db }: Pick<Services, 'db'>) => ({
  add: (exchange: string, phone: SipPhone, untilMs: number) =>
    addSipPhone(db, exchange, phone, untilMs),
  remove: (exchange: string, device: string) => removeSipPhone(db, exchange, device),
  phones: (exchange: string) => sipPhonesElsewhere(db, exchange),
});
