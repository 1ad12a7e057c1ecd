import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const api = process.env.WARREN_API_URL ?? 'http://127.0.0.1:4680';

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
