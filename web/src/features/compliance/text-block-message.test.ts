import { expect, it } from 'vitest';
import { textBlockReasons } from '#contract/compliance/rules';
import { textBlockMessage } from './text-block-message.ts';

const facts = { recipient: '+12125550147', ourNumber: '+14155552368' };
it('every block reason has a sentence and a next step', () => {
  for (const reason of textBlockReasons) {
    const { sentence, next } = textBlockMessage(reason, facts);
    expect(sentence).toMatch(/\.$/);
    expect(next).toMatch(/\.$/);
    expect(sentence + next).not.toContain('{');
  }
  expect(textBlockMessage('contact_opted_out', facts).sentence).toBe(
    'This contact opted out and cannot be texted.',
  );
  expect(textBlockMessage('blocked', facts).sentence).toBe(
    '(212) 555-0147 is blocked. Unblock it to send a message.',
  );
});
