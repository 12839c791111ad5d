import { expect, it } from 'vitest';
import { normalizePhone } from '#contract/phone';
import { nextPhone, type HandsetPhone } from './phones.ts';

it('assigns fictional numbers, each only once', () => {
  const held: HandsetPhone[] = [];
  for (let i = 0; i < 12; i++) held.push(nextPhone(held));
  expect(new Set(held.map((p) => p.number)).size).toBe(12);
  for (const { number } of held) {
    expect(number).toMatch(/^\+1[2-9]\d{2}55501\d{2}$/);
    expect(normalizePhone(number)).toBe(number);
  }
});
