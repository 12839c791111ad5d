import { expect, test } from 'vitest';
import { addressByName } from './own-name.ts';

const own = 'http://localhost:3000';

test('a page asked for by a number of this machine belongs to its name', () => {
  const at = (host: string) => addressByName(own, host, '/integrations?provider=slackbot');
  for (const host of ['127.0.0.1:3000', '[::1]:3000'])
    expect(at(host)).toBe('http://localhost:3000/integrations?provider=slackbot');
  // Where it is already; another program; another machine; no host at all.
  for (const host of ['localhost:3000', '127.0.0.1:5173', '192.168.1.7:3000', 'evil.example', ''])
    expect(at(host), host).toBe(null);
});

test('nothing is led elsewhere where the app has another name, or a path names a host', () => {
  expect(addressByName('https://phone.example.com', '127.0.0.1:3000', '/')).toBe(null);
  expect(addressByName('http://127.0.0.1:3000', 'localhost:3000', '/')).toBe(null);
  expect(addressByName(own, '127.0.0.1:3000', '//evil.example/')).toBe(`${own}//evil.example/`);
});
