import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resample } from '../../server/src/platform/audio/resample.ts';
import { writeWav } from '../../server/src/platform/audio/wav.ts';
import { tone } from '../../server/src/platform/audio/tones.ts';
import { freePort } from '../../server/test/support/free-port.ts';
import { password, patienceMs, realm } from './exchange.ts';

export const baresipPath = '/usr/bin/baresip';

export interface Phone {
  /** Events so far, as `TYPE detail`. */
  events: string[];
  command(command: string, params?: string): void;
  stop(): Promise<void>;
}
export type Transport = 'udp' | 'tcp' | 'tls';

/** Starts baresip as this user; it answers every call with a 440 Hz tone. */
export async function baresip(port: number, user: string, transport: Transport): Promise<Phone> {
  const control = await freePort();
  const folder = writeConfiguration(port, user, transport, control);
  const child: ChildProcess = spawn(baresipPath, ['-4', '-f', folder], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) stream?.resume();
  const gone = new Promise<void>((resolve) => child.on('exit', () => resolve()));
  const events: string[] = [];
  const socket = await connectTo(control);
  readEvents(socket, events);
  return {
    events,
    command(command, params = '') {
      const text = JSON.stringify({ command, params });
      socket.write(`${Buffer.byteLength(text)}:${text},`);
    },
    async stop() {
      socket.destroy();
      child.kill('SIGTERM');
      const hard = setTimeout(() => child.kill('SIGKILL'), 5000);
      await gone;
      clearTimeout(hard);
    },
  };
}

/** Writes the configuration and the sound it plays; returns their folder. */
function writeConfiguration(
  port: number,
  user: string,
  transport: Transport,
  control: number,
): string {
  const folder = mkdtempSync(join(tmpdir(), 'baresip-'));
  const modules = ['g711', 'aufile', 'aubridge', 'account', 'menu', 'ctrl_tcp'];
  writeFileSync(
    join(folder, 'config'),
    [
      'module_path /usr/lib/baresip/modules',
      ...modules.slice(0, 3).map((name) => `module ${name}.so`),
      ...modules.slice(3).map((name) => `module_app ${name}.so`),
      `ctrl_tcp_listen 127.0.0.1:${control}`,
      `audio_source aufile,${join(folder, 'tone.wav')}`,
      'audio_player aubridge,out',
      'audio_alert aubridge,alert',
      'sip_listen 127.0.0.1:0',
      'net_interface 127.0.0.1',
      'call_max_calls 4',
      '',
    ].join('\n'),
  );
  writeFileSync(
    join(folder, 'accounts'),
    `<sip:${user}@${realm};transport=${transport}>;auth_pass=${password};outbound="sip:127.0.0.1:${port};transport=${transport}";regint=60;answermode=auto;audio_codecs=PCMU/8000/1\n`,
  );
  writeFileSync(join(folder, 'contacts'), '');
  writeFileSync(
    join(folder, 'tone.wav'),
    writeWav({ sampleRate: 8000, channels: [resample(tone([440], 60_000, 0.5), 16_000, 8000)] }),
  );
  return folder;
}

/** Its control port, as soon as it listens. */
const connectTo = (control: number) =>
  new Promise<Socket>((resolve, reject) => {
    const until = Date.now() + patienceMs;
    const attempt = (): void => {
      const one = connect(control, '127.0.0.1', () => resolve(one));
      one.on('error', (trouble) =>
        Date.now() > until ? reject(trouble) : setTimeout(attempt, 100),
      );
    };
    attempt();
  });

/** Adds the events it reports to the list. */
function readEvents(socket: Socket, events: string[]): void {
  let kept = '';
  // Netstrings of JSON: `12:{"event":…},`
  socket.on('data', (chunk) => {
    kept += chunk.toString();
    for (
      let found = /^(\d+):/.exec(kept);
      found && kept.length >= found[0].length + Number(found[1]) + 1;
      found = /^(\d+):/.exec(kept)
    ) {
      const end = found[0].length + Number(found[1]);
      const told = JSON.parse(kept.slice(found[0].length, end)) as {
        event?: boolean;
        type?: string;
        param?: string;
      };
      kept = kept.slice(end + 1);
      if (told.event) events.push(`${told.type ?? ''} ${told.param ?? ''}`);
    }
  });
}
