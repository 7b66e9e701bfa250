/* artifact.h: what the two files that write and read artifacts share. */
#ifndef FUSEC_ARTIFACT_H
#define FUSEC_ARTIFACT_H

#include "api/api.h"

#include <jansson.h>

/* ---- artifact.c ------------------------------------------------------------------------------ */

typedef struct ArtifactWriting ArtifactWriting;
typedef struct ArtifactReading ArtifactReading;

/* Adds data to the file: {"at": .., "size": ..} for its header. */
json_t *artifact_put(ArtifactWriting *w, const void *data, size_t size);
/* The data that such JSON refers to. False after a refusal, as the next. */
bool artifact_part(ArtifactReading *r, const json_t *json, FilePart *part);
bool artifact_is_wrong(ArtifactReading *r); /* its header is */
Arena *artifact_arena(const ArtifactReading *r);

/* ---- artifact_imports.c ---------------------------------------------------------------------- */

bool artifact_put_imports(ArtifactWriting *w, const Imports *m, json_t *header); /* NULL: none */
/* *imports is as it was when the model was saved, as far as another compilation takes from it. */
bool artifact_take_imports(ArtifactReading *r, const json_t *header, const Imports **imports);

#endif
