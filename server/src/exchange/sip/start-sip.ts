import { bindPort, PortInUseError } from '../../platform/bind-port.ts';
import type { Exchange } from '../exchange.ts';
import type { SipOptions } from './sip-options.ts';
import type { openSipServer as open } from './sip-server.ts';

/** Null when the SIP port is in use and may not move. */
export async function startSip(
  exchange: Exchange,
  options: SipOptions,
  { movePorts = false, avoidPort }: { movePorts?: boolean; avoidPort?: number },
) {
  // Loaded only where there are SIP phones.
  const { openSipServer } = await import('./sip-server.ts');
  const opened: Awaited<ReturnType<typeof open>>[] = [];
  try {
    await bindPort(
      options.port,
      { mayMove: movePorts, setting: 'SIP_PORT', avoid: avoidPort },
      async (port) => {
        const server = await openSipServer(exchange, { ...options, port });
        opened.push(server);
        return server.port;
      },
    );
  } catch (error) {
    if (!(error instanceof PortInUseError)) throw error;
    options.log('The SIP port is taken; SIP phones can’t register', { port: options.port });
  }
  return opened[0] ?? null;
}
