import type { Role } from '../platform/settings/platform-variables.ts';
import type { Settings } from '../platform/settings.ts';
import type { Addresses, BoundPorts } from './addresses.ts';
import { startDevServer } from './dev-server.ts';
import { isAnswered } from './free-port.ts';
import { logLine } from './supervisor-log.ts';
import type { SupervisedProcess } from './supervisor.ts';

/** The host by which this machine reaches a listener. */
export function reachableHost(host: string): string {
  return host === '0.0.0.0' || host === '::'
    ? '127.0.0.1'
    : host.includes(':')
      ? `[${host}]`
      : host;
}

/**
 * Where a browser on this machine finds us: by name, because passkeys and push need one. Not if
 * another program has the port at the IPv6 address of that name, which browsers try first.
 */
export async function browserUrl(host: string, port: number): Promise<string> {
  const isByName = host === '127.0.0.1' && !(await isAnswered(port, '::1'));
  return `http://${isByName ? 'localhost' : host}:${port}`;
}

/** What a start does with the addresses of its processes. */
interface Options {
  /** Announces the URL to other starts from the same data directory. */
  announce(url: string): void;
  /** `npm run dev`: screens are served from source. */
  watching: boolean;
  /** Adds what must be stopped at the end. */
  onStop(stop: () => Promise<void>): void;
}

/**
 * The ports of the processes. They bind and report them, because a port that is merely found free
 * may be another program's a moment later. Busy ports move up to the next free one, except where
 * others expect the old one: a proxy in production, or other machines in an installation that runs
 * only some of the roles.
 */
export function trackAddresses(settings: Settings, { announce, watching, onStop }: Options) {
  const hasRole = (role: Role) => settings.roles.includes(role);
  const current: Addresses = {
    port: hasRole('web') ? 0 : settings.port,
    mediaPort: hasRole('media') ? 0 : settings.mediaPort,
    sipPort: 0,
    publicUrl: settings.publicUrl,
  };
  let devServer: Awaited<ReturnType<typeof startDevServer>> | null = null;

  const mayMove = (role: string) =>
    role === 'web' ? !settings.production && !devServer : role === 'media' && hasRole('web');
  return {
    now: current,
    /**
     * The ports a process gets in its environment: for its own, the one it had or should try first.
     */
    environment: (role: string): Record<string, string> => ({
      // The worker waits for the bound port; the media process only avoids it.
      PORT: String(role === 'worker' ? current.port : current.port || settings.port),
      MEDIA_PORT: String(
        role === 'media' ? current.mediaPort || settings.mediaPort : current.mediaPort,
      ),
      SIP_PORT: String(settings.exchange ? current.sipPort || settings.sipPort : 0),
      MOVE_PORTS: mayMove(role) ? '1' : '0',
      PUBLIC_URL: current.publicUrl,
    }),
    /** A process has bound ports: the others are told when they are new. */
    async onBound(ports: BoundPorts, crew: SupervisedProcess[]): Promise<void> {
      const before = { ...current };
      const {
        port = current.port,
        mediaPort = current.mediaPort,
        sipPort = current.sipPort,
      } = ports;
      Object.assign(current, { mediaPort, sipPort });
      if (ports.sipPort !== undefined && sipPort !== before.sipPort)
        warnOfMovedSipPort(settings, sipPort);
      if (port !== before.port) {
        const wanted = before.port || settings.port;
        if (wanted !== 0 && port !== wanted)
          logLine(`Port ${wanted} is busy, so Trunkline uses ${port}`, 'warn');
        const webUrl = `http://${reachableHost(settings.host)}:${port}`;
        if (watching && !devServer) {
          devServer = await startDevServer(webUrl);
          onStop(devServer.stop);
        }
        const publicUrl =
          devServer?.url ??
          (process.env.PUBLIC_URL?.trim()
            ? settings.publicUrl
            : await browserUrl(reachableHost(settings.host), port));
        Object.assign(current, { port, publicUrl });
        announce(publicUrl);
      }
      for (const one of crew) one.sendAddresses(current);
    },
  };
}

function warnOfMovedSipPort(settings: Settings, sipPort: number): void {
  if (settings.sipPublic && sipPort !== settings.sipPort)
    logLine(
      `SIP_PORT ${settings.sipPort} is busy, so carriers can’t reach our exchange at SIP_PUBLIC: calls on their numbers won’t ring in browsers`,
      'warn',
    );
}
