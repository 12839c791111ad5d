import { describe, expect, it } from 'vitest';
import { compileFlow, simulate } from '../index.ts';
import {
  makeForward,
  makeNumberConfig,
  makeRoute,
  noon,
  callerNumber,
} from '../test-support/script.ts';

const voicemail = { enabled: true, greeting: null };
const call = { from: callerNumber, at: noon };

describe('simulate', () => {
  it('returns each step with its rule, reason, target and duration', () => {
    const flow = compileFlow(
      makeNumberConfig({
        routes: [
          makeRoute({
            type: 'sequential',
            voicemail,
            forwards: [makeForward('Ann', { timeoutSeconds: 10 }), makeForward('Bob')],
          }),
        ],
      }),
    );
    const played = simulate(flow, { ...call, answers: { '+12125550112': 'answers' } });
    expect(played).toMatchObject({ outcome: 'connected', status: 12, warnings: [] });
    expect(
      played.steps.map((step) => `${step.node} ${step.matched} ${step.target} ${step.duration}`),
    ).toEqual([
      'start true +14155552368 0',
      'route true extension 1 0',
      'ring true +12125550111 10',
      'ring false +12125550111 0',
      'ring true +12125550112 4',
      'connect true Bob 30',
      'end true null 0',
    ]);
  });

  it('explains why the call went to voicemail', () => {
    const flow = compileFlow(makeNumberConfig({ routes: [makeRoute({ voicemail })] }));
    const played = simulate(flow, { ...call, answers: 'declines' });
    expect(played.outcome).toBe('voicemail');
    expect(played.steps.map((step) => step.because)).toContain(
      'Ann didn’t take the call: declined.',
    );
  });

  it('does not connect a destination that presses no confirm key', () => {
    const flow = compileFlow(makeNumberConfig({ routes: [makeRoute({ confirmKey: '1' })] }));
    expect(simulate(flow, { ...call, answers: 'no key' }).outcome).toBe('rejected');
    expect(simulate(flow, { ...call, answers: 'answers' }).outcome).toBe('connected');
  });

  it('uses the given digits, one gather after another', () => {
    const routes = [
      makeRoute({ id: 1, extension: 1 }),
      makeRoute({ id: 2, extension: 2, type: 'voicemail' }),
    ];
    const flow = compileFlow(makeNumberConfig({ routes, menuFallback: 1 }));
    expect(simulate(flow, { ...call, pressed: ['2'] }).outcome).toBe('voicemail');
    expect(simulate(flow, { ...call, pressed: ['7', '1'] }).outcome).toBe('connected');
    expect(simulate(flow, { ...call, pressed: [] }).steps.map((step) => step.because)).toContain(
      'The caller didn’t choose an extension, so the default route is used.',
    );
  });

  it('warns about configuration that cannot work', () => {
    const routes = [
      makeRoute({ id: 1, extension: 4, forwards: [] }),
      makeRoute({
        id: 2,
        extension: 4,
        label: 'Self',
        forwards: [makeForward('Us', { number: '+14155552368' })],
        afterHours: { action: 'route', routeId: 99 },
      }),
    ];
    expect(compileFlow(makeNumberConfig({ routes })).warnings).toEqual([
      'Extension 4 has no destination.',
      'Extension 4 has no voicemail: unanswered callers hear a message, and the call ends.',
      'Self has no voicemail: unanswered callers hear a message, and the call ends.',
      'Self forwards to the number itself.',
      'Self: the after-hours route no longer exists.',
      'Extension 4 is used twice. Callers can only reach the first.',
    ]);
  });
});
