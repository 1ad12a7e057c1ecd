{{- define "warren.name" -}}
{{- if contains "warren" .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{ else }}{{ printf "%s-warren" .Release.Name | trunc 40 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "warren.labels" -}}
app.kubernetes.io/name: warren
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "warren.selector" -}}
app.kubernetes.io/name: warren
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "warren.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "warren.check" -}}
{{- $given := list .Values.database.url .Values.database.existingSecret | compact | len }}
{{- if and (not .Values.postgresql.enabled) (ne $given 1) }}
{{- fail "give one of database.url and database.existingSecret, or set postgresql.enabled" }}
{{- end }}
{{- if and .Values.postgresql.enabled (ne $given 0) }}
{{- fail "postgresql.enabled brings a database: leave database.url and database.existingSecret out" }}
{{- end }}
{{- if and .Values.postgresql.enabled (not (regexMatch "^[A-Za-z0-9_-]{12,}$" .Values.postgresql.password)) }}
{{- fail "postgresql.password: expected at least 12 letters, digits, - or _" }}
{{- end }}
{{- if and (gt (int .Values.api.replicas) 1) (eq .Values.artifacts.bucket "") (ne .Values.artifacts.accessMode "ReadWriteMany") }}
{{- fail "api.replicas above 1 need artifacts.bucket, or a volume with accessMode ReadWriteMany" }}
{{- end }}
{{- end }}

{{- define "warren.databaseEnv" -}}
- name: DATABASE_URL
  valueFrom:
    secretKeyRef:
      name: {{ .Values.database.existingSecret | default (include "warren.name" .) }}
      key: {{ if .Values.database.existingSecret }}{{ .Values.database.secretKey }}{{ else }}DATABASE_URL{{ end }}
{{- if .Values.redis.url }}
- name: REDIS_URL
  valueFrom:
    secretKeyRef:
      name: {{ include "warren.name" . }}
      key: REDIS_URL
{{- end }}
{{- end }}

{{- define "warren.podSecurity" -}}
# Kubernetes would set variables named after services, which begin with WARREN_ as Warren's own do.
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.serviceAccount.name }}
serviceAccountName: {{ . }}
{{- end }}
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "warren.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  capabilities: { drop: [ALL] }
{{- end }}
