import { expect, test } from 'vitest';
import { blockStateOf } from './block-state.ts';

const rule = (target: string, action = 1) => ({ id: 1, target, action, global: false });

test('a label is compared as an E.164 number to find its block', () => {
  const blocks = [rule('+12125550147'), rule('+1900*'), rule('anonymous'), rule('+13125550100', 0)];
  for (const label of ['+12125550147', '(212) 555-0147', '212-555-0147', '1 212 555 0147'])
    expect(blockStateOf(blocks, label)?.target, label).toBe('+12125550147');
  for (const label of ['Dana Reed', '', '+19005550100', '(312) 555-0100', 'anonymous'])
    expect(blockStateOf(blocks, label), label).toBeNull();
});
