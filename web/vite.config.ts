import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const api = process.env.WARREN_API_URL ?? 'http://127.0.0.1:4680';

const SHARED = 'shared';

/**
 * What is loaded together is one file: by itself the bundler makes a file of each module that two pages have in common, and a page
 * asked for 76 of them. A request costs a browser more than some kilobytes that the page does not need.
 */
const PARTS = [
  { name: 'packages', test: /node_modules/, tags: ['$initial' as const], priority: 2 },
  { name: 'shell', tags: ['$initial' as const], priority: 1 },
  {
    name: SHARED,
    // large, and for few pages
    test: (module: string) => !/node_modules[\\/](echarts|zrender|umap-js)/.test(module),
    minShareCount: 2,
    entriesAware: true,
    entriesAwareMergeThreshold: 9_000,
  },
];

// biome-ignore lint/style/noDefaultExport: vite reads the default export
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // A strict content security policy forbids `data:` addresses.
    assetsInlineLimit: 0,
    // echarts is a part of its own, loaded with the first chart.
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        codeSplitting: { groups: PARTS },
        // The bundler names such a part after all pages that need it.
        chunkFileNames: ({ name }) => `assets/${name.startsWith(SHARED) ? SHARED : '[name]'}-[hash].js`,
      },
    },
  },
  server: {
    proxy: {
      '/graphql': { target: api, ws: true },
      '/artifacts': api,
      '/media': api,
      '/health': api,
      '/ready': api,
    },
  },
});
