import type { Queue } from './job-kind.ts';
import type { BillingMode } from '#contract/billing/rules';
import type { KeyRing } from './secrets.ts';
import type { Role } from './settings/platform-variables.ts';

export interface Settings {
  production: boolean;
  demo: boolean;
  /**
   * Ports and `publicUrl` change when the processes have bound: read them when they are needed. 0:
   * not bound yet.
   */
  port: number;
  /** A busy port may be replaced by the next free one. */
  movePorts: boolean;
  host: string;
  publicUrl: string;
  /** Whether programs may register themselves as OAuth clients. */
  oauthDynamicRegistration: boolean;
  /** Proxies whose `X-Forwarded-For` is trusted. */
  trustProxy: string[];
  /** Lower-case name of the header in which such a proxy says a visitor's region; null: none. */
  regionHeader: string | null;
  /** Absolute path. */
  dataDir: string;
  databaseUrl: string | null;
  /** Of a replica of it that reports read; null: there is none. */
  databaseReplicaUrl: string | null;
  redisUrl: string | null;
  /** False: files are stored on this machine's disk, under `dataDir`. */
  sharesFiles: boolean;
  /** False: mail is only shown at /dev/outbox. */
  sendsMail: boolean;
  /** Mail that we queue can be read: it is sent, or shown in development. */
  canMail: boolean;
  mailFrom: string;
  /** Where support tickets are mailed; null: nowhere. */
  supportEmail: string | null;
  /** The first of `carriers`. */
  carrier: string;
  /** The adapters in CARRIER, the default one first. */
  carriers: string[];
  /** The simulated carrier is connected: /sandbox and /handset are open. */
  simulated: boolean;
  /** Texts codes and invitations to people in Caddy, at the default carrier; null: none does. */
  caddyNumber: string | null;
  /** An adapter's name, or `none`. */
  faxCarrier: string;
  /** Who takes the money for plans; `off`: there are none. */
  billing: BillingMode;
  /** False: push notifications are stored, not sent. */
  pushEnabled: boolean;
  /** What each adapter reads, by its name: ask its `AdapterSettings.of`. */
  adapters: Readonly<Record<string, unknown>>;
  roles: Role[];
  /** The queues whose jobs a worker process runs. */
  jobQueues: Queue[];
  logLevel: string;
  /** Where `npm start` writes the log, too; null: only to its output. */
  logFile: { path: string; bytes: number; keep: number } | null;
  /** Where traces go, and which part of them; null: there are none. */
  tracing: {
    endpoint: string;
    headers: Readonly<Record<string, string>>;
    share: number;
  } | null;
  mediaPort: number;
  /** Where our other processes reach the web processes; null: the one on this machine, at `port`. */
  webUrl: string | null;
  /** Where our other processes reach this media process; null: only on this machine. */
  mediaUrl: string | null;
  /** Milliseconds a web process goes on answering after it was told to stop. */
  drainMs: number;
  /** Milliseconds a media process waits for its calls after it was told to stop. */
  callDrainMs: number;
  /** 0: SIP phones and carriers can't connect. */
  sipPort: number;
  /** Files of the certificate and key for SIP over TLS; null: no TLS. */
  sipTls: { cert: string; key: string } | null;
  /**
   * Where carriers reach `sipPort`; null: they don't, and browsers only get the sandbox's calls.
   */
  sipPublic: { host: string; port: number } | null;
  /** The media process runs: for the sandbox, or to bridge browsers to calls at other carriers. */
  exchange: boolean;
  /** Days by table; the other tables are kept as `retention.ts` of each module says. */
  retentionDays: Readonly<Record<string, number>>;
  /** Entries of the audit log are kept this long. */
  auditKeepDays: number;
  backup: {
    /** A folder or `s3://bucket/prefix`; null: none is made by the clock. */
    to: string | null;
    /** Null only where `to` is. */
    passphrase: string | null;
    /** Time of day in UTC, `HH:MM`. */
    at: string;
    /** How many are kept. */
    keep: number;
  };
  /** Opens `/metrics`; null: only in development, to this machine. */
  metricsToken: string | null;
  /** Null: any free ports. */
  rtpPorts: [number, number] | null;
  /** Calls with audio that the exchange carries at once. */
  mediaCalls: number;
  mediaSecret: string;
  /** The newest of `appSecrets`: what is derived or signed uses it. 32 bytes. */
  appSecret: Buffer;
  /** Seals with the first, opens with any. */
  appSecrets: KeyRing;
  limits: {
    userPerMinute: number;
    companyPerMinute: number;
    codesPerHour: number;
    /** For signing up in Caddy, to all people together. */
    caddyCodesPerHour: number;
    signInsPerMinute: number;
    exportsPerHour: number;
    /** Milliseconds a body may take to arrive. */
    bodyMs: number;
    /** Bytes of one upload. */
    uploadBytes: number;
    /** Bytes of a company's archive that platform staff upload, in parts. */
    archiveBytes: number;
    /** Bytes of all bodies in one process at the same time. */
    inFlightBytes: number;
    /** Milliseconds one database statement of a request may take. */
    statementMs: number;
    /** Milliseconds until a live connection must have signed in. */
    signInMs: number;
    /** Live connections that have not signed in, at the same time. */
    unknownSockets: number;
  };
}

/** Where our other processes reach the web processes, without a trailing slash. */
export const webUrlOf = ({ webUrl, port }: Pick<Settings, 'webUrl' | 'port'>): string =>
  webUrl ?? `http://127.0.0.1:${port}`;

/** The database's URL. Throws when none is set. */
export function databaseUrlOf({ databaseUrl }: Settings): string {
  if (databaseUrl === null) throw new Error('DATABASE_URL is not set.');
  return databaseUrl;
}

/** One line per wrong variable: its name, what is wrong, and what to write instead. */
export class InvalidSettingsError extends Error {
  override name = 'WrongSettings';
  constructor(readonly problems: string[]) {
    super(problems.join('\n'));
  }
}
