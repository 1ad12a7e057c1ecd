import { CustomChart, LineChart, ScatterChart } from 'echarts/charts';
import { DataZoomInsideComponent, GridComponent, TooltipComponent } from 'echarts/components';
import * as echarts from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';

// Only the parts of echarts that Warren draws with, so that the rest stays out of the bundle.
echarts.use([
  CustomChart,
  LineChart,
  ScatterChart,
  DataZoomInsideComponent,
  GridComponent,
  TooltipComponent,
  CanvasRenderer,
]);

export { echarts };
