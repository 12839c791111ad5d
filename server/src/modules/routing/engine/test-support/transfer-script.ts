/** Transfer lines of a call script: `Ann transfers to Bob`, `Ann asks Bob first`, `Zed listens`. */
import type { TransferEvent, ScreenEvent, Target } from '../types.ts';

const users: Record<string, number> = { Ann: 1, Bob: 2, Cem: 3, Zed: 9 };

/** The destination of a transfer for tests: a user by name, or an outside phone. */
export function makeTarget(label: string): Target {
  const userId = users[label];
  const number = '+12125550177';
  return userId === undefined
    ? {
        key: number,
        to: { kind: 'phone', number },
        label,
        callerId: '+14155552368',
        forwardId: null,
        timeoutSeconds: 20,
      }
    : {
        key: `user:${userId}`,
        to: { kind: 'app', userId, companyId: 1 },
        label,
        callerId: '+12125550100',
        forwardId: null,
        timeoutSeconds: 20,
      };
}

const lines: [
  RegExp,
  (who: number, rest: string, legOf: (name: string) => string) => TransferEvent | ScreenEvent,
][] = [
  [
    /^(\w+) transfers to route (\d+)$/,
    (by, id) => ({ type: 'transfer', by, to: { kind: 'route', routeId: Number(id) }, ask: false }),
  ],
  [
    /^(\w+) transfers to Desk with (\w+ and \w+)$/,
    (by, names) => ({
      type: 'transfer',
      by,
      to: {
        kind: 'team',
        key: 'team:9',
        label: 'Desk',
        targets: names.split(' and ').map((name) => ({
          ...makeTarget(name),
          team: { key: 'team:9', label: 'Desk' },
        })),
      },
      ask: false,
    }),
  ],
  [
    /^(\w+) transfers to (\w+)$/,
    (by, to) => ({
      type: 'transfer',
      by,
      to: { kind: 'target', target: makeTarget(to) },
      ask: false,
    }),
  ],
  [
    /^(\w+) asks (\w+) first$/,
    (by, to) => ({
      type: 'transfer',
      by,
      to: { kind: 'target', target: makeTarget(to) },
      ask: true,
    }),
  ],
  [/^(\w+) completes$/, (by) => ({ type: 'completeTransfer', by })],
  [/^(\w+) cancels$/, (by) => ({ type: 'cancelTransfer', by })],
  [/^(\w+) swaps$/, (by) => ({ type: 'swap', by })],
  [/^(\w+) merges$/, (by) => ({ type: 'merge', by })],
  [
    /^(\w+) parks in (\d+)$/,
    (by, slot) => ({ type: 'park', by, slot: Number(slot), seconds: 300 }),
  ],
  [
    /^(\w+) retrieves$/,
    (by) => ({
      type: 'unpark',
      target: makeTarget(Object.keys(users).find((name) => users[name] === by) ?? ''),
    }),
  ],
  [/^(\w+) adds (\w+)$/, (by, to) => ({ type: 'add', by, target: makeTarget(to) })],
  [/^(\w+) removes (\w+)$/, (by, to, legOf) => ({ type: 'remove', by, leg: legOf(to) })],
  [
    /^(\w+) (listens|barges|murmurs)$/,
    (by, how) => ({
      type: 'monitor',
      target: makeTarget('Zed'),
      mode: how === 'listens' ? 'listen' : how === 'barges' ? 'barge' : 'whisper',
    }),
  ],
  [/^(\w+) stops watching$/, (userId) => ({ type: 'stopMonitor', userId })],
  [/^(\w+) hangs up on the screen$/, (by) => ({ type: 'hangup', by })],
];

/** The transfer event of a script line; null = not a transfer line. */
export function parseTransferLine(
  line: string,
  legOf: (name: string) => string,
): TransferEvent | ScreenEvent | null {
  for (const [pattern, event] of lines) {
    const found = pattern.exec(line);
    if (found) return event(users[found[1] ?? ''] ?? 0, found[2] ?? '', legOf);
  }
  return null;
}
