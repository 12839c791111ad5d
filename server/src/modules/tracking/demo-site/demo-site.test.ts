import { describe, expect, it } from 'vitest';
import { createTestApp } from '../../../../test/support/test-app.ts';
import { aSite } from '../../../../test/support/tracking-site.ts';
import { landings, visitors } from './pages.ts';

const addresses = [
  '/demo-site',
  '/demo-site/page.js',
  ...Object.keys(visitors).map((one) => `/demo-site/as/${one}`),
  ...Object.keys(landings).map((one) => `/demo-site/${one}`),
];

describe('the demo’s website', () => {
  it('has a page for each way to come, with the script of the company whose pool is for it', async () => {
    const app = await createTestApp({ demo: true });
    expect((await app.server.inject('/demo-site')).statusCode).toBe(404);
    const other = await aSite(app, 1);
    const shop = await aSite(app, 1, { domains: ['localhost'] });
    for (const address of addresses)
      expect((await app.server.inject(address)).statusCode, address).toBe(200);
    for (const [key, { to }] of Object.entries(visitors)) {
      const arrival = await app.server.inject(`/demo-site/as/${key}`);
      expect(arrival.headers['referrer-policy']).toBe('no-referrer');
      const { body } = await app.server.inject(to);
      expect(body).toContain(`/t/${shop.pool.companyKey}/1/dni.js`);
      expect(body).not.toContain(other.pool.companyKey);
      expect(body).toContain(`<dd>${visitors[key as keyof typeof visitors].name}</dd>`);
    }
    for (const address of [
      '/demo-site/constructor',
      '/demo-site/as/toString',
      '/demo-site/nothing',
      '/demo-site/implants/more',
    ])
      expect((await app.server.inject(address)).statusCode, address).toBe(404);
    const echoed = await app.server.inject('/demo-site/implants?gclid=<script>x</script>');
    expect(echoed.body).not.toContain('<script>x');
  });

  it('is nowhere but in the demo', async () => {
    const app = await createTestApp();
    await aSite(app, 1, { domains: ['localhost'] });
    for (const address of addresses)
      expect((await app.server.inject(address)).statusCode, address).toBe(404);
  });
});
