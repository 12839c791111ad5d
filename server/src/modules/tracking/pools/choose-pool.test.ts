import { expect, it } from 'vitest';
import { isDomain, isPath, staticNumber } from './choose-pool.ts';

it.each([
  ['shop.example', 'shop.example', true],
  ['www.shop.example', 'shop.example', true],
  ['shop.example', 'www.shop.example', true],
  ['blog.shop.example', 'shop.example', false],
  ['blog.shop.example', '*.shop.example', true],
  ['shop.example', '*.shop.example', false],
  ['notshop.example', '*.shop.example', false],
  ['notshop.example', 'shop.example', false],
  ['shop.example:8080', 'shop.example', true],
  ['shop.example:8080', 'shop.example:8080', true],
  ['shop.example', 'shop.example:8080', false],
  ['shop.example:80', 'shop.example:8080', false],
  ['shop.example.evil.test', 'shop.example', false],
])('%s is of %s: %s', (host, domain, is) => {
  expect(isDomain(host, domain)).toBe(is);
});

it.each([
  ['/implants', '/implants', true],
  ['/implants/', '/implants', true],
  ['/implants/all', '/implants', false],
  ['/implants/all', '/implants*', true],
  ['/implants/all', '/Implants/*', true],
  ['/a/b/c', '/a/*/c', true],
  ['/a/c', '/a/*/c', false],
  ['/a/b/b/c', '/*b*/c', true],
  ['/aa', '/a*a*a', false],
  ['/', '/', true],
  ['/', '/*', true],
  ['/jobs.html', '/*.html', true],
])('%s is %s: %s', (path, pattern, is) => {
  expect(isPath(path, pattern)).toBe(is);
});

it('gives each source the next number', () => {
  expect([1, 5, 9].map((id) => staticNumber(['a', 'b'], [1, 5, 9], id))).toEqual(['a', 'b', 'a']);
  expect(staticNumber(['a', 'b'], [1], 7)).toBe('a');
  expect(staticNumber([], [1], 1)).toBeNull();
});
