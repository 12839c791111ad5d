import { serveVisit } from '../../src/adapters/browser/serve-visit.ts';

/** Here this machine plays the open internet, under names that end in `.example`. */
const port = process.env['LAB_PORT'] ?? '';
let turns = 0;
serveVisit({
  resolve: async (host) => {
    if (host === 'inside.example') return ['127.0.0.2'];
    // Public the first time, and inside from then on.
    if (host === 'rebind.example') return [(turns += 1) === 1 ? '127.0.0.1' : '127.0.0.2'];
    return host.endsWith('.example') ? ['127.0.0.1'] : [];
  },
  isPublic: (ip) => ip === '127.0.0.1',
  ports: ['', port],
});
