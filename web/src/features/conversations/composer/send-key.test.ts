import { expect, it } from 'vitest';
import { isSendKey } from './send-key.ts';

const key = (over: object = {}) => ({
  key: 'Enter',
  shiftKey: false,
  metaKey: false,
  ctrlKey: false,
  isComposing: false,
  ...over,
});
it('Enter sends when chosen; with the modifier it always sends', () => {
  expect(isSendKey(key(), 'enter')).toBe(true);
  expect(isSendKey(key(), 'mod')).toBe(false);
  expect(isSendKey(key({ ctrlKey: true }), 'mod')).toBe(true);
  expect(isSendKey(key({ metaKey: true }), 'enter')).toBe(true);
});
it('never sends on a line break or while a word is being composed', () => {
  expect(isSendKey(key({ shiftKey: true }), 'enter')).toBe(false);
  expect(isSendKey(key({ isComposing: true }), 'enter')).toBe(false);
  expect(isSendKey(key({ isComposing: true, ctrlKey: true }), 'mod')).toBe(false);
});
