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
it('Enter sends when chosen; with the modifier it always does', () => {
  expect(isSendKey(key(), 'enter')).toBe(true);
  expect(isSendKey(key(), 'mod')).toBe(false);
  expect(isSendKey(key({ ctrlKey: true }), 'mod')).toBe(true);
  expect(isSendKey(key({ metaKey: true }), 'enter')).toBe(true);
});
it('never in the middle of a line break or of a word being composed', () => {
  expect(isSendKey(key({ shiftKey: true }), 'enter')).toBe(false);
  expect(isSendKey(key({ isComposing: true }), 'enter')).toBe(false);
  expect(isSendKey(key({ isComposing: true, ctrlKey: true }), 'mod')).toBe(false);
});
