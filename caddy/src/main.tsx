import { createRoot } from 'react-dom/client';
import { AppProvider, createQueryClient, setProduct } from '#ui';
import { Caddy } from './Caddy.tsx';
import { caddyTheme } from './theme.ts';

setProduct('Caddy');
createRoot(document.getElementById('root')!).render(
  <AppProvider cache={createQueryClient()} appTheme={caddyTheme}>
    <Caddy />
  </AppProvider>,
);
