import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import * as z from 'zod/mini';
import { queryClient } from '../api/queryClient.ts';
import { startTheme } from '../components/theme.ts';
import { router } from './router.tsx';
import './styles/tokens.css';
import './styles/base.css';
import './styles/layout.css';

// The content security policy forbids code made at run time, which zod would otherwise try.
z.config({ jitless: true });
startTheme();

const root = document.getElementById('root');
if (root === null) throw new Error('internal: the page has no root element');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
